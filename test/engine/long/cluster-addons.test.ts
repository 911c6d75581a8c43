/**
 * The cloud controller manager and Cinder CSI as addons of a cluster from a template: a Service with an Octavia load
 * balancer and a floating IP, and a PVC with a Cinder volume. The steps build on each other.
 */
import { BALANCED_PAGE } from "../../support/balanced-page";
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { expectRebuilt } from "../../support/lost-state";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { objectsCnf } from "../../support/workload-cluster";

jest.setTimeout(40 * 60_000);

let stack: TestStack;
let management: object;
let web: object;
let template: object;
let tenant: Cluster;

beforeAll(async () => {
  await labWithClusterApi();
  await mustRun("lab/lab.sh", ["addons"]);
  stack = await TestStack.create("cluster-addons", {});
  template = {
    ...clusterTemplate(),
    addons: {
      flannel: await labAddon("flannel"),
      "openstack-cloud-controller-manager": await labAddon("openstack-cloud-controller-manager"),
      "openstack-cinder-csi": await labAddon("openstack-cinder-csi"),
    },
  };
  management = await managementCnfs(stack.folder);
  web = { ...objectsCnf(stack.folder, "web-package", "tenant", BALANCED_PAGE), readyTimeout: "20m" };
});

afterAll(async () => {
  tenant?.close();
  await stack?.remove();
});

interface Listener {
  readonly protocol_port: number;
}

interface Named {
  readonly name: string;
}

const left = async (service: string, path: string, key: string) =>
  (await stack.cloud.get<Record<string, object[]>>(service, path))[key];

interface Credential {
  readonly id: string;
  readonly roles: readonly { readonly name: string }[];
}

/** Lists the application credentials of the stack's user. */
const allCredentials = async () => {
  const path = `/users/${stack.cloud.userId}/application_credentials`;
  return (await left("identity", path, "application_credentials")) as Credential[];
};
const credentials = async () => (await allCredentials()).map(({ id }) => id);

const configure = (cluster: object) =>
  stack.configure(
    { "vnf-a": clusterVnf(1), ...management, tenant: templateCluster({ vim: "vnf-a", ...cluster }), web },
    { "vnfm:clusterTemplates": { kube: template } },
  );

const pageOfBalancer = async () => {
  const [service] = await tenant.list<{
    status: { loadBalancer: { ingress?: { ip: string }[] } };
  }>("services", "--field-selector=metadata.name=web");
  const ip = service?.status.loadBalancer.ingress?.[0]?.ip ?? "";
  return mustRun("curl", ["--silent", "--show-error", "--max-time", "20", `http://${ip}/`]);
};

it("vnfm makes a cluster whose addons use the cloud with its credential, and a CNF with a balancer and a volume", async () => {
  configure({});
  await stack.mustUp();
  tenant = await stack.cluster("tenant");
  expect(await tenant.readyNodes()).toHaveLength(2);
  // those of the user's roles that the controllers need, and roles that Keystone adds by implication
  expect((await allCredentials()).map(({ roles }) => roles.map(({ name }) => name).sort())).toEqual([
    ["load-balancer_member", "member", "reader"],
  ]);
  expect(await left("block-storage", "/volumes", "volumes")).toHaveLength(1);
});

it("the CNF answers at the balancer's address, with what was written to the volume", async () => {
  await tenant.kubectl([
    "exec",
    "deployment/web",
    "--",
    "sh",
    "-c",
    "echo of a volume >/usr/share/nginx/html/index.html",
  ]);
  expect(await pageOfBalancer()).toContain("of a volume");
  expect(await stack.changes()).toEqual([]);
});

it("the cluster gets another credential: the former one goes, no machine does, and the addons use the new one", async () => {
  const before = await credentials();
  const nodes = await tenant.readyNodes();
  configure({ credential: { rotate: "second" } });
  expect((await stack.changes()).filter((change) => /machine|kubeadm/i.test(change))).toEqual([]);
  await stack.mustUp();
  const after = await credentials();
  expect(after).toHaveLength(before.length);
  expect(after.filter((id) => before.includes(id))).toHaveLength(before.length - 1);
  expect(await tenant.readyNodes()).toEqual(nodes);
  // the cloud controller manager adds another port of the Service
  await tenant.kubectl([
    ...["patch", "service", "web", "--type=json"],
    '--patch=[{"op": "add", "path": "/spec/ports/0/name", "value": "http"}, {"op": "add", "path": "/spec/ports/-", "value": {"name": "other", "port": 8080, "targetPort": 80}}]',
  ]);
  const listeners = async () =>
    (await left("load-balancer", "/v2/lbaas/listeners", "listeners")) as Listener[];
  await until(180, "a listener on port 8080", async () =>
    (await listeners()).some(({ protocol_port: port }) => port === 8080),
  );
  expect(await pageOfBalancer()).toContain("of a volume");
});

it("the lost state is made again, with the cluster's credential and addons", async () => {
  await expectRebuilt(stack);
});

it("the deletion leaves neither balancer nor volume once the cluster is taken out, also of what others made there", async () => {
  await tenant.kubectl(["create", "service", "loadbalancer", "of-others", "--tcp=80:80"]);
  await until(300, "the other balancer", async () => {
    const balancers = (await left("load-balancer", "/v2/lbaas/loadbalancers", "loadbalancers")) as Named[];
    return balancers.some(({ name }) => name.includes("of-others"));
  });
  stack.configure({ "vnf-a": clusterVnf(1), ...management });
  expect(await stack.mustUp()).toContain("Service default/of-others is deleted because of its load balancer");
  expect(await left("block-storage", "/volumes", "volumes")).toEqual([]);
  expect(await left("load-balancer", "/v2/lbaas/loadbalancers", "loadbalancers")).toEqual([]);
  expect(await left("network", stack.cloud.ofProject("floatingips"), "floatingips")).toEqual([]);
  expect(await left("network", stack.cloud.ofProject("routers"), "routers")).toEqual([]);
  const groups = (await left(
    "network",
    stack.cloud.ofProject("security-groups"),
    "security_groups",
  )) as Named[];
  expect(groups.map(({ name }) => name).filter((name) => /^(lb-sg|k8s)-/.test(name))).toEqual([]);
});
