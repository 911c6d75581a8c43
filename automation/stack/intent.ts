import { scaleLevelOf } from "../../components/plan/instances";
import { isWorkload, type InstancePlan } from "../../components/plan/model";
import type { ProjectFiles } from "../../components/gather/project-files";
import { planStack } from "../../components/plan/stack";
import { didYouMean, oneOf } from "../../components/base/nearest";
import { own } from "../../components/base/own";
import type { Settings } from "../../components/settings/model";
import { parseSettings } from "../../components/settings/parse";
import type { DeploymentFlavour } from "../../components/vnfd/model";
import { UsageFault } from "../fault";
import type { StackSettings } from "./stack-config";

/** A VNF instance as planned from the stack config and its package. */
export interface IntendedVnf {
  readonly name: string;
  readonly plan: InstancePlan;
  /** Undefined: it has no package, because it is a cluster from a template. */
  readonly flavour: DeploymentFlavour | undefined;
  /** Scale level by aspect, or replicas by node group. */
  readonly scaleLevels: Readonly<Record<string, number>>;
  /** The VNFCs: servers by `<VDU>-<ordinal>`, pod controllers by their VDU. */
  readonly vnfcs: readonly string[];
}

/**
 * Plans the stack config like the program does, without Pulumi.
 * @returns the VNF instances by name
 * @throws SettingsFault with all errors of the config and the packages
 */
export function intentOf(settings: StackSettings): ReadonlyMap<string, IntendedVnf> {
  const intent = INTENTS.get(settings) ?? planned(settings);
  INTENTS.set(settings, intent);
  return intent;
}

/** Cache of plans by their settings, because an operation needs those of the current settings several times. */
const INTENTS = new WeakMap<StackSettings, ReadonlyMap<string, IntendedVnf>>();

function planned({ vnfs, clusterTemplates, policy, files }: StackSettings): ReadonlyMap<string, IntendedVnf> {
  const { settings: parsed } = parseSettings(vnfs, clusterTemplates);
  const settings = { ...parsed, ...(policy !== undefined && { policy }) };
  const plans = planStack(settings, files);
  return new Map(plans.map((plan) => [plan.name, intended(plan, settings, files)]));
}

/**
 * @throws UsageFault if there is no such instance
 */
export function vnfOf(intent: ReadonlyMap<string, IntendedVnf>, name: string): IntendedVnf {
  const vnf = intent.get(name);
  if (vnf !== undefined) return vnf;
  const known = [...intent.keys()];
  throw new UsageFault(
    `the stack config has no instance "${name}"; ${oneOf(known)}${didYouMean(name, known)}`,
  );
}

function intended(plan: InstancePlan, settings: Settings, { loadPackage }: ProjectFiles): IntendedVnf {
  const { name } = plan;
  const vnfcs = isWorkload(plan) ? plan.cnf.vnfcs.map(({ vdu }) => vdu) : plan.servers.map(({ key }) => key);
  const settingsOfVnf = own(settings.vnfs, name);
  if (settingsOfVnf === undefined) {
    // a cluster from a template, or an addon of a cluster
    const groups = Object.entries(own(settings.clusters, name)?.nodeGroups ?? {});
    // cluster-autoscaler decides about the others
    const scaled = groups.flatMap(([group, { replicas }]) =>
      replicas === undefined ? [] : [[group, replicas] as const],
    );
    const scaleLevels = Object.fromEntries(scaled);
    return { name, plan, flavour: undefined, scaleLevels, vnfcs };
  }
  const { flavours } = loadPackage(settingsOfVnf.package).vnfd;
  const flavour = own(flavours, settingsOfVnf.flavour ?? Object.keys(flavours)[0] ?? "");
  if (flavour === undefined) throw new Error(`the plan has a VNF ${name} of no flavour`);
  const levelId = settingsOfVnf.instantiationLevel ?? flavour.defaultInstantiationLevel ?? "";
  const level = own(flavour.instantiationLevels, levelId);
  const aspects = Object.keys(flavour.scalingAspects);
  const scaleLevels = aspects.map((aspect) => [aspect, scaleLevelOf(aspect, settingsOfVnf, level)] as const);
  return { name, plan, flavour, scaleLevels: Object.fromEntries(scaleLevels), vnfcs };
}
