import { readManifests } from "../../../components/kube/manifests/manifests";
import type { KubeObject } from "../../../components/kube/objects/object";
import { planCnf } from "../../../components/plan/workload/cnf";
import type { CnfPlan } from "../../../components/plan/workload/model";
import type { PlannedObject } from "../../../components/plan/workload/planned-objects";
import type { AdditionalParams } from "../../../components/settings/model";
import type {
  DeploymentFlavour,
  Fault,
  PackageFiles,
  ScalingAspect,
  Vdu,
} from "../../../components/vnfd/model";
import { placeOf } from "../places";

/** Returns the files of a package. @param contents texts by path */
export function packageOf(contents: Readonly<Record<string, string>>): PackageFiles {
  return {
    list: () => Object.keys(contents).sort(),
    has: (path) => contents[path] !== undefined,
    read: (path) => Buffer.from(contents[path] ?? ""),
  };
}

/** Parses the objects of a manifest, which must have no errors. */
export function objectsOf(yaml: string): KubeObject[] {
  const faults: Fault[] = [];
  const read = readManifests(packageOf({ "m.yaml": yaml }), ["m.yaml"], faults);
  expect(faults).toEqual([]);
  return read.map(({ object }) => object);
}

/** Returns a flavour. @param vdus the property `name` of each VDU, by its id */
export function flavourOf(
  vdus: Readonly<Record<string, string>>,
  scalingAspects: Readonly<Record<string, ScalingAspect>> = {},
  least: Readonly<Record<string, number>> = {},
): DeploymentFlavour {
  return {
    id: "simple",
    vdus: Object.fromEntries(Object.entries(vdus).map(([id, name]) => [id, vduOf(id, name, least[id])])),
    volumes: {},
    connectionPoints: {},
    virtualIps: {},
    virtualLinks: {},
    scalingAspects,
    instantiationLevels: {},
    defaultInstantiationLevel: undefined,
    placementGroups: [],
    warnings: [],
  };
}

function vduOf(id: string, name: string, minInstances = 1): Vdu {
  return {
    id,
    name,
    minInstances,
    maxInstances: 3,
    initialInstances: undefined,
    image: undefined,
    flavor: undefined,
    vcpus: undefined,
    memoryMiB: undefined,
    diskGiB: undefined,
    volumes: [],
    bootData: undefined,
  };
}

export interface Situation {
  readonly instance?: string;
  readonly vdus?: Readonly<Record<string, string>>;
  /** Minimum number of instances of a VDU. @default 1 */
  readonly least?: Readonly<Record<string, number>>;
  readonly aspects?: Readonly<Record<string, ScalingAspect>>;
  readonly counts?: Readonly<Record<string, number>>;
  readonly params?: AdditionalParams;
  readonly heal?: Readonly<Record<string, string>>;
  readonly kubernetesVersion?: string;
}

/** Plans a CNF with one manifest. @returns the plan, and the errors in its settings */
export function planned(
  yaml: string,
  situation: Situation = {},
  place = placeOf("vnfm:vnfs", situation.instance ?? "cnf"),
): { plan: CnfPlan; faults: readonly string[] } {
  const plan = planCnf({
    instance: situation.instance ?? "cnf",
    place,
    settings: {
      package: "packages/cnf",
      readyTimeout: "10m",
      evacuate: false,
      ...(situation.heal && { heal: situation.heal }),
      placementPolicy: "strict",
      protectVolumes: true,
      protectForeignObjects: true,
      keepBootVolumes: false,
      additionalParams: { "lcm-kubernetes-def-files": ["m.yaml"], ...situation.params },
    },
    flavour: flavourOf(situation.vdus ?? {}, situation.aspects, situation.least),
    files: packageOf({ "m.yaml": yaml }),
    counts: situation.counts ?? {},
    kubernetesVersion: situation.kubernetesVersion,
  });
  return { plan, faults: place.findings.texts };
}

/** Returns a planned object. @param key key of the object, without the instance */
export function get(plan: CnfPlan, key: string): PlannedObject {
  const found = plan.objects.find((object) => object.key === `${plan.instance}-${key}`);
  if (found === undefined)
    throw new Error(`no ${key} in ${plan.objects.map((object) => object.key).join(", ")}`);
  return found;
}

/** Returns, for each object, those created before it, by key without the instance. `ready`: only those it waits for. */
export function dependencies(plan: CnfPlan, which: "all" | "ready" = "all"): Record<string, string[]> {
  const short = (key: string): string => key.slice(plan.instance.length + 1);
  return Object.fromEntries(
    plan.objects.map(({ key, dependsOn, madeAfter }) => [
      short(key),
      [...dependsOn, ...(which === "all" ? madeAfter : [])].map(short),
    ]),
  );
}
