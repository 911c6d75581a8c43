/**
 * Runs that create and delete a cluster from a template are killed at ten random points, each followed by `vnfm
 * recover` and another run. The stack converges, and nothing of the cluster stays in the cloud after its deletion.
 */
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf, webCnf } from "../../support/configs";
import { killedWhen, orphans, recover, stateOnDisk } from "../../support/cut-off";
import { KILLED, momentsIn } from "../../support/kills";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { announceSeed } from "../../support/seed";
import { TestStack } from "../../support/stack";

jest.setTimeout(90 * 60_000);

let stack: TestStack;
let management: Record<string, object>;
let template: object;

/** @param withCluster true to declare the cluster and a CNF on it */
function configure(withCluster: boolean): void {
  const cluster = {
    tenant: templateCluster({ vim: "vnf-a" }),
    web: webCnf("web", { vim: "tenant", readyTimeout: "20m" }),
  };
  stack.configure(
    { "vnf-a": clusterVnf(1), ...management, ...(withCluster && cluster) },
    { "vnfm:clusterTemplates": { kube: template } },
  );
}

beforeAll(async () => {
  announceSeed();
  await labWithClusterApi();
  stack = await TestStack.create("cluster-kills", {});
  template = { ...clusterTemplate(), addons: { flannel: await labAddon("flannel") } };
  management = await managementCnfs(stack.folder);
  configure(false);
  await stack.mustUp();
});

afterAll(async () => {
  await stack?.remove();
});

describe(KILLED, () => {
  it("a cluster is made and taken out", async () => {
    let withCluster = true;
    for (const [i, moment] of momentsIn(200).entries()) {
      // the interrupted change is sometimes continued, and sometimes reverted, each for creation and deletion
      if (i > 0 && i % 2 === 0) withCluster = !withCluster;
      for (let sooner = moment; ; sooner /= 2) {
        configure(withCluster);
        const before = stateOnDisk(stack);
        const begun = () => stateOnDisk(stack) !== before;
        const end = await killedWhen(stack, stack.upCommand("--skip-preview"), begun, sooner);
        if (end === undefined) break;
        expect([end.status, end.status === 0 ? "" : end.stdout + end.stderr]).toEqual([0, ""]);
        withCluster = !withCluster;
      }
      process.stderr.write(`killed while the cluster ${withCluster ? "is made" : "goes"}\n`);
      await recover(stack);
    }
    configure(true);
    await stack.mustUp();
    const tenant = await stack.cluster("tenant");
    try {
      expect(await tenant.readyNodes()).toHaveLength(2);
      expect(
        await tenant.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"]),
      ).toContain("<h1>web-cnf</h1>");
    } finally {
      tenant.close();
    }
    expect(await stack.changes()).toEqual([]);
  });

  it("the deletion leaves nothing in OpenStack, and no object of it on the management cluster", async () => {
    configure(false);
    await stack.mustUp();
    expect(await orphans(stack)).toEqual([]);
    expect(await stack.changes()).toEqual([]);
    const onVnfA = await stack.cluster("vnf-a");
    try {
      expect(await onVnfA.kubectl(["get", "namespace", "tenant", "--ignore-not-found"])).toBe("");
    } finally {
      onVnfA.close();
    }
  });
});
