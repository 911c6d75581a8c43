/** Warnings of custom resources whose definitions the stack does not make. */
import { withDefinitionWarnings } from "../../../components/preflight/definition-warnings";
import type { CnfInstancePlan, Vim } from "../../../components/plan/model";
import type { ApiKind } from "../../../components/plan/workload/model";
import { Secret } from "../../../components/base/secret";

const monitor = { apiVersion: "example.com/v1", kind: "Monitor" };
const rule = { apiVersion: "rules.example.com/v1", kind: "Rule" };

const given: Vim = { kind: "kubeconfig", kubeconfig: new Secret("a kubeconfig") };

const plan = (on: Vim, undefinedKinds: readonly ApiKind[]): CnfInstancePlan => ({
  ...{
    kind: "cnf",
    name: "app",
    on,
    readyTimeout: "10m",
    protectForeignObjects: true,
    after: [],
    warnings: [],
    cluster: undefined,
  },
  cnf: {
    ...{ instance: "app", namespace: "default", objects: [], releases: [], vnfcs: [] },
    ...{ undefinedKinds, warnings: ["another"] },
  },
});

const warning = (kinds: string) =>
  `vnfm:vnfs.app: no CNF of this stack contains the CustomResourceDefinition of ${kinds}: it must exist on the cluster`;

/** What is told of a CNF on a cluster that has some kinds. */
async function warnings(
  on: Vim,
  kinds: readonly ApiKind[],
  ask: (kubeconfig: string, kinds: readonly ApiKind[]) => Promise<readonly ApiKind[] | undefined>,
): Promise<readonly string[]> {
  const [told] = await withDefinitionWarnings([plan(on, kinds)], ask);
  return told?.kind === "cnf" ? told.cnf.warnings : [];
}

const never = () => Promise.reject(new Error("nobody is asked"));

it("are of what a cluster given by its kubeconfig lacks", async () => {
  const asked: unknown[] = [];
  const ask = (kubeconfig: string, kinds: readonly ApiKind[]) => {
    asked.push([kubeconfig, kinds]);
    return Promise.resolve([monitor]);
  };
  const both = [monitor, rule];
  expect(await warnings(given, both, ask)).toEqual(["another", warning("Rule (rules.example.com)")]);
  expect(asked).toEqual([["a kubeconfig", both]]);
  expect(await warnings(given, [monitor], ask)).toEqual(["another"]);
});

it("are of all where the cluster does not answer, or is one of a stack", async () => {
  const all = ["another", warning("Monitor (example.com), Rule (rules.example.com)")];
  expect(await warnings(given, [monitor, rule], () => Promise.resolve(undefined))).toEqual(all);
  expect(await warnings({ kind: "vnf", vnf: "vnf-a" }, [monitor, rule], never)).toEqual(all);
});

it("are none, and nobody is asked, where the stack makes all definitions", async () => {
  expect(await warnings(given, [], never)).toEqual(["another"]);
});
