import type { Cluster } from "../../support/cluster";
import { webCnf } from "../../support/configs";
import type { TestStack } from "../../support/stack";

const NAMESPACE = "foreign";
const PAGE = ["configmap/web-page", "-n", NAMESPACE];

const OTHER = "vnfm-other";

interface Left {
  readonly kind: string;
  readonly name: string;
  readonly owner?: string;
  readonly data?: object;
}

/** Returns the manifest of an object that another stack has left. */
const ofAnotherStack = ({ kind, name, owner, data }: Left): string => {
  const annotations = { "pulumi.com/patchFieldManager": OTHER, "vnfm.io/owner": owner };
  return JSON.stringify({ apiVersion: "v1", kind, metadata: { name, annotations }, data });
};

/**
 * A CNF some of whose objects exist already, created by others, also in a Namespace of others.
 *
 * @param subject the stack, and its other instances, including the cluster `vnf-a`
 */
export function describeForeign(
  subject: () => { readonly stack: TestStack; readonly cluster: Cluster; readonly vnfs: object },
): void {
  const data = async (cluster: Cluster) =>
    JSON.parse(await cluster.kubectl(["get", ...PAGE, "-o", "jsonpath={.data}"])) as object;

  it("is refused, with all of them and who that was, and leaves them as they are", async () => {
    const { stack, cluster, vnfs } = subject();
    const apply = ["apply", "--server-side", "--field-manager", OTHER, "-n", NAMESPACE, "-f", "-"];
    await cluster.kubectl(apply, ofAnotherStack({ kind: "Namespace", name: NAMESPACE }));
    const ofCnf = { kind: "ConfigMap", name: "web-page", owner: "other/web", data: { other: "kept" } };
    await cluster.kubectl(apply, ofAnotherStack(ofCnf));
    await cluster.kubectl(["create", "deployment", "web", "-n", NAMESPACE, "--image=none", "--replicas=0"]);
    stack.configure({ ...vnfs, foreign: webCnf(NAMESPACE) });
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    for (const [object, by] of [
      ["ConfigMap foreign/web-page", `which belongs to the CNF other/web, created or changed by ${OTHER}`],
      ["Deployment foreign/web", "created or changed by kubectl-create"],
    ])
      expect(stdout).toContain(`${object} already exists on the cluster, ${by}`);
    expect(await data(cluster)).toEqual({ other: "kept" });
    expect(await cluster.list("service", "-n", NAMESPACE)).toEqual([]);
  });

  it("takes an object over that is annotated as its own", async () => {
    const { stack, cluster } = subject();
    await cluster.kubectl(["delete", "deployment", "web", "-n", NAMESPACE]);
    const { stdout } = await stack.up();
    const [own = ""] = /vnfm\.io\/owner=\S+\/foreign\b/.exec(stdout) ?? [];
    await cluster.kubectl(["annotate", ...PAGE, own, "--overwrite"]);
    await stack.mustUp();
    expect(await stack.changes()).toEqual([]);
    expect(Object.keys(await data(cluster)).sort()).toEqual(["index.html", "other"]);
  });

  it("is refused under another name, which would delete the objects of the first", async () => {
    const { stack, vnfs } = subject();
    stack.configure({ ...vnfs, renamed: webCnf(NAMESPACE) });
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    expect(stdout).toMatch(
      /Deployment foreign\/web already exists on the cluster, which belongs to the CNF \S+\/foreign, created or changed by vnfm\b/,
    );
  });

  it("goes with its objects, and leaves the Namespace", async () => {
    const { stack, cluster, vnfs } = subject();
    stack.configure(vnfs);
    await stack.mustUp();
    const get = ["get", "configmap,deployment,service", "-n", NAMESPACE, "-o", "name"];
    expect(await cluster.kubectl(get)).toBe("configmap/kube-root-ca.crt\n");
    expect(await cluster.kubectl(["get", "namespace", NAMESPACE, "-o", "name"])).toBe("namespace/foreign\n");
  });
}
