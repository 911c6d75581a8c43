import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { REPOSITORY } from "../../support/command";
import { clusterVnf, webCnf } from "../../support/configs";
import { page } from "../../support/page";
import type { TestStack } from "../../support/stack";
import { until } from "../../support/until";

/**
 * A CNF that is updated to another package.
 *
 * @param subject the stack, with a cluster of one worker and the web CNF `vnf-b`, and the cluster
 */
export function describeUpdate(
  subject: () => { readonly stack: TestStack; readonly cluster: Cluster },
): void {
  const configure = (additionalParams: object = {}) => {
    const { stack } = subject();
    const cnf = webCnf("web", { package: "web-cnf-2" }) as { readonly additionalParams: object };
    const params = { ...cnf.additionalParams, ...additionalParams };
    stack.configure({ "vnf-a": clusterVnf(1), "vnf-b": { ...cnf, additionalParams: params } });
  };

  it("of a ConfigMap changes it and the controller that mounts it, and nothing else", async () => {
    const { stack } = subject();
    const changed = join(stack.folder, "web-cnf-2");
    cpSync(join(REPOSITORY, "vnf-packages/web-cnf"), changed, { recursive: true });
    const file = join(changed, "Files/kubernetes/configmap.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("<h1>web-cnf</h1>", "<h1>changed</h1>"));
    configure();
    expect(await stack.changes()).toEqual([
      "update vnf-b-configmap-web/web-page",
      "update vnf-b-deployment-web/web",
      "update vnf-b-deployment-web/web-ready",
    ]);
    await stack.mustUp();
    // kube-proxy has the pods of a Service only after a moment, and rejects connections until then
    const body = () => page(stack, "workerNode-1").catch(() => "");
    await until(30, "the changed page", async () => (await body()).includes("<h1>changed</h1>"));
  });

  it("makes the objects that are new in it, deletes those that are gone, and touches no other", async () => {
    const { stack, cluster } = subject();
    const get = ["get", "service,poddisruptionbudget", "-n", "web", "-o", "name"];
    const files = (...names: string[]) => ({
      "lcm-kubernetes-def-files": names.map((name) => `Files/kubernetes/${name}.yaml`),
    });
    configure(files("configmap", "deployment", "disruption-budget"));
    expect(await stack.changes()).toEqual([
      "create vnf-b-poddisruptionbudget-web/web",
      "delete vnf-b-service-web/web",
      "update vnf-b-unclaimed",
    ]);
    await stack.mustUp();
    expect(await cluster.kubectl(get)).toBe("poddisruptionbudget.policy/web\n");
    configure();
    await stack.mustUp();
    expect(await cluster.kubectl(get)).toBe("service/web\n");
  });

  it("with an encrypted variable keeps its value out of the state, and gives it to the cluster", async () => {
    const { stack, cluster } = subject();
    const file = join(stack.folder, "web-cnf-2", "Files/kubernetes/configmap.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace("<h1>changed</h1>", "<h1>${WORD}</h1>"));
    configure({ variables: { WORD: "" } });
    const password = "a-word-for-nobody-else";
    const path = "vnfm:vnfs.vnf-b.additionalParams.variables.WORD";
    await stack.must("config", "set", "--secret", "--path", path, password, "--stack", stack.name);
    expect(await stack.mustUp()).not.toContain(password);
    const get = ["get", "configmap", "web-page", "-n", "web", "-o", "jsonpath={.data}"];
    expect(await cluster.kubectl(get)).toContain(password);
    for (const text of [await stack.state(), await stack.must("preview", "--json", "--stack", stack.name)])
      expect(text).not.toContain(password);
    configure();
    await stack.mustUp();
  });
}
