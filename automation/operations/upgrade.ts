import { own } from "../../components/base/own";
import type { ClusterPlan } from "../../components/plan/kubeadm/model";
import { nodePools, poolsOf, serversOfRole } from "../../components/plan/kubeadm/pools";
import type { PlannedServer } from "../../components/plan/servers/model";
import { Fault, UsageFault } from "../fault";
import { subjectOfVnfc } from "../changes/subject";
import { intentOf, vnfOf } from "../stack/intent";
import { ofVnfcs } from "./guard";
import { membersOf } from "./members";
import type { Run } from "../run";
import { operate, type Outcome } from "./operation";
import { vduOf } from "../stack/places";
import type { PulumiStack } from "../stack/pulumi";
import { assertJoinable, mastersOf } from "./quorum";
import { roll, type RollStep } from "./roll";
import { editValue, type Edit, type StackSettings } from "../stack/stack-config";
import type { StackState } from "../stack/stack-state";
import { planTemplate, planTemplates } from "./upgrade-template";
import {
  checkImages,
  checkRepository,
  checkUpgrade,
  clusterOf,
  describeKept,
  surgeAspects,
  type UpgradeRequest,
  type NodeUpgrade,
} from "./upgrade-check";

/**
 * Upgrades the nodes of a cluster. A cluster from a template gets another template, or several in turn. For a kubeadm
 * cluster it writes version and images into the stack config, then replaces the masters one at a time, then the workers
 * in batches, each in a separate run. The trigger value of a replaced node contains the target, so that the same
 * upgrade continues after a failure.
 * @throws UsageFault if there is no such cluster or VDU, or without a target, Fault if no master could join; otherwise
 * as `operate` does
 */
export async function upgrade(
  stack: PulumiStack,
  vnf: string,
  requested: UpgradeRequest,
  run: Run,
): Promise<Outcome> {
  const { templates } = requested;
  if (templates !== undefined) return upgradeByTemplates(stack, vnf, templates, run);
  const request = withDefaults(requested);
  return roll(
    stack,
    async (now) => {
      const { settings } = now;
      const state = await now.state();
      const [members, images] = [membersOf(state, vnf), imagesOfRequest(state, vnf)];
      const steps = planUpgrade(settings, vnf, request, members, images);
      const cluster = vnfOf(intentOf(editValue(settings, packageOf(settings, vnf, request))), vnf);
      const [first] = mastersMade(steps, mastersOf(cluster), members);
      if (first === undefined) return steps;
      const warnings = await assertJoinable(now, cluster, first, run.signal);
      const [declaration, ...others] = steps;
      return [{ ...declaration, warnings: [...(declaration.warnings ?? []), ...warnings] }, ...others];
    },
    run,
  );
}

/**
 * @throws UsageFault without a target, or for an invalid batch
 */
function withDefaults(request: UpgradeRequest): NodeUpgrade {
  const whole = { images: {}, batch: 1, surge: 0, ...request };
  if (whole.to === undefined && whole.package === undefined && Object.keys(whole.images).length === 0)
    throw new UsageFault("an upgrade needs another version, package, image or template");
  if (Number.isInteger(whole.batch) && whole.batch > 0) return whole;
  throw new UsageFault(`batch: ${whole.batch} is not a number of at least 1`);
}

/** Upgrades by templates. A single template is one run, previewed once. */
function upgradeByTemplates(
  stack: PulumiStack,
  vnf: string,
  templates: readonly string[],
  run: Run,
): Promise<Outcome> {
  const [only, ...others] = templates;
  if (only !== undefined && others.length === 0)
    return operate(stack, ({ settings }) => planTemplate(settings, vnf, only), run);
  const how = { ...run, isPreviewedWhole: false };
  return roll(stack, ({ settings }) => planTemplates(settings, vnf, templates), how);
}

/** Images of existing VNFCs, by the name or id in the settings with which they were created. */
export function imagesOfRequest(state: StackState, vnf: string): ReadonlyMap<string, string> {
  return new Map(
    [...state.servers(vnf)].flatMap(([key, { inputs }]): [string, string][] => {
      const image = inputs?.["imageName"] ?? inputs?.["imageId"];
      return typeof image === "string" ? [[key, image]] : [];
    }),
  );
}

/**
 * The remaining runs of an upgrade.
 * @param members VNFCs that are in their cluster; all others are replaced in the first run, as they run nothing that
 * could be lost
 * @param images of the existing VNFCs
 */
export function planUpgrade(
  settings: StackSettings,
  name: string,
  request: NodeUpgrade,
  members: ReadonlySet<string>,
  images: ReadonlyMap<string, string>,
): readonly [RollStep, ...RollStep[]] {
  const ofPackage = packageOf(settings, name, request);
  const packaged = vnfOf(intentOf(editValue(settings, ofPackage)), name);
  const cluster = clusterOf(packaged);
  checkUpgrade(packaged, request);
  checkImages(packaged, request, images);
  const aspects = surgeAspects(packaged);
  const surgeOf = (levels: number, vdus: readonly string[]): readonly Edit[] =>
    vdus.flatMap((vdu) => {
      const aspect = aspects.get(vdu);
      return aspect === undefined ? [] : [{ vnf: name, path: ["surge", aspect], value: levels }];
    });
  const noSurge = surgeOf(0, [...aspects.keys()]);
  const declared = [...ofPackage, ...declarations(name, cluster, request)];
  const settled = vnfOf(intentOf(editValue(settings, [...declared, ...noSurge])), name);
  const intendedCluster = clusterOf(settled);
  checkRepository(name, intendedCluster);
  const isNew = (server: PlannedServer): boolean => server.healToken === tokenOf(server, request);
  const isConcerned = (server: PlannedServer): boolean =>
    request.to !== undefined ||
    Object.hasOwn(request.images, server.vdu.id) ||
    // the server of a VNFC whose replacement failed may be new
    (request.package !== undefined && (isNew(server) || images.get(server.key) !== server.image));
  const masters = serversOfRole(intendedCluster, "master").filter(isConcerned);
  const workers = serversOfRole(intendedCluster, "worker").filter(isConcerned);
  const lost = [...masters, ...workers].filter((server) => !isNew(server) && !members.has(server.key));
  if (lost.length > 0 && cluster.kubernetesVersion !== intendedCluster.kubernetesVersion) {
    const added =
      ofPackage.length === 0 ? "" : "; nodes that the new package adds are created by a later scale";
    throw new Fault(
      `${name}: ${listKeys(lost)} is not in the cluster: run 'pulumi up', or heal it, first${added}`,
    );
  }
  const isLeft = (server: PlannedServer): boolean => !isNew(server) && !lost.includes(server);
  const replacement = (servers: readonly PlannedServer[], what = listKeys(servers)): RollStep => ({
    what,
    edits: servers.map((server) => ({
      vnf: name,
      path: ["heal", server.key],
      value: tokenOf(server, request),
    })),
    allowance: {
      vnf: name,
      actions: ["replace", "delete"],
      mayGo: ofVnfcs((vnfc) => servers.some(({ key }) => key === vnfc)),
    },
  });

  // the package is new in this run: no node can come from it, whatever its trigger value
  const begun = [...masters, ...workers].filter(
    (server) => isNew(server) && (ofPackage.length === 0 || !members.has(server.key)),
  );
  const first: RollStep = {
    ...replacement([...begun, ...lost], describeDeclared(declared)),
    edits: [...declared, ...replacement(lost).edits],
    warnings: request.package === undefined ? [] : describeKept(name, intendedCluster, request),
  };
  const remaining = workers.filter(isLeft);
  const batches = inBatches(remaining, request.batch).map((batch) => replacement(batch));
  const surging = surgeOf(request.surge, [...new Set(remaining.map(({ vdu }) => vdu.id))]);
  // the plan refuses more workers than the VNFD allows
  intentOf(editValue(settings, [...declared, ...surging]));
  const workerVdus = poolsOf(intendedCluster, "worker").map(({ vdu }) => vdu);
  // an earlier surge may have been larger
  const surgeMayGo: RollStep["allowance"] = {
    vnf: name,
    actions: ["delete"],
    mayGo: ofVnfcs((vnfc) => workerVdus.includes(vduOf(vnfc)) && !settled.vnfcs.includes(vnfc)),
  };
  const surge: RollStep = {
    what: `a surge of ${request.surge}`,
    edits: surging,
    allowance: surgeMayGo,
  };
  const surgeEnd: RollStep = { what: "the end of the surge", edits: noSurge, allowance: surgeMayGo };
  const surges = batches.length > 0 && request.surge > 0;
  const isSurging = packaged.vnfcs.length > settled.vnfcs.length;
  return [
    first,
    ...masters.filter(isLeft).map((one) => replacement([one])),
    ...(surges ? [surge] : []),
    ...batches,
    ...(surges || isSurging ? [surgeEnd] : []),
  ];
}

/** The masters that the runs still replace or create, in their order. */
export function mastersMade(
  steps: readonly RollStep[],
  masters: readonly string[],
  members: ReadonlySet<string>,
): readonly string[] {
  return steps.flatMap(({ edits, allowance }) => {
    const healed = edits.flatMap(({ path: [what, key] }) => (what === "heal" ? [key] : []));
    const mayGo = (key: string): boolean => allowance.mayGo({ subject: subjectOfVnfc(allowance.vnf, key) });
    return masters.filter((key) => healed.includes(key) || (!members.has(key) && mayGo(key)));
  });
}

/** The edit of the package path, if it differs from the stack config. The former package need not exist any more. */
function packageOf({ vnfs }: StackSettings, name: string, { package: value }: NodeUpgrade): readonly Edit[] {
  const present = own(vnfs, name)?.["package"];
  return value === undefined || present === undefined || present === value
    ? []
    : [{ vnf: name, path: ["package"], value }];
}

/** The edits of version and images that differ from the stack config. */
function declarations(name: string, cluster: ClusterPlan, { to, images }: NodeUpgrade): readonly Edit[] {
  const version: readonly Edit[] =
    to === undefined || to === cluster.kubernetesVersion
      ? []
      : [
          {
            vnf: name,
            path: ["additionalParams", "k8s_cluster_installation_param", "kubernetes_version"],
            value: to,
          },
        ];
  const changed = Object.entries(images).filter(([vdu, image]) =>
    nodePools(cluster).some(({ servers }) =>
      servers.some((server) => server.vdu.id === vdu && server.image !== image),
    ),
  );
  return [...version, ...changed.map(([vdu, value]): Edit => ({ vnf: name, path: ["images", vdu], value }))];
}

/** The trigger value of `heal`, with the target of the replacement. */
function tokenOf({ image }: PlannedServer, { to }: NodeUpgrade): string {
  return to === undefined ? image : `${to} ${image}`;
}

function inBatches<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

function listKeys(servers: readonly PlannedServer[]): string {
  return servers.map(({ key }) => key).join(", ");
}

function describeDeclared(edits: readonly Edit[]): string {
  if (edits.length === 0) return "the rest of an earlier run";
  return edits.map(({ path, value }) => `${path.at(-1)} ${String(value)}`).join(", ");
}
