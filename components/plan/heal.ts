import type { Place } from "../base/findings";
import { didYouMean, oneOf } from "../base/nearest";
import { own } from "../base/own";
import type { Settings, VnfSettings } from "../settings/model";
import type { DeploymentFlavour } from "../vnfd/model";
import { isOfObjects } from "./kind";
import type { PlannedServer } from "./servers/model";

/** The key under `heal` that stands for the whole instance. */
export const ALL = "all";

/** A heal of a whole instance: all of its servers are replaced at once, and the cluster on them. */
export interface WholeHeal {
  /** The trigger value: a new one starts the heal; empty if there never was one. */
  readonly token: string;
  /** Reason of a refusal: CNFs of this stack on the cluster. Undefined if there are none, or if they may be deleted. */
  readonly refusal: string | undefined;
  /** True if the CNFs on the cluster may be deleted. */
  readonly evacuate: boolean;
}

/** The plan for a heal of a whole instance: it replaces all servers and the cluster on them. */
export function planWholeHeal(name: string, { vnfs, clusters }: Settings): WholeHeal {
  const { heal, evacuate } = own(vnfs, name) ?? { evacuate: false };
  const refusal = evacuate ? undefined : refusalOf(name, cnfsOn(name, { ...vnfs, ...clusters }));
  return { token: heal?.[ALL] ?? "", evacuate, refusal };
}

/** The CNFs of this stack on a cluster, and those on clusters that these CNFs create. */
export function cnfsOn(
  cluster: string,
  vnfs: Readonly<Record<string, Pick<VnfSettings, "vim">>>,
  seen: ReadonlySet<string> = new Set(),
): string[] {
  if (seen.has(cluster)) return [];
  const direct = Object.keys(vnfs).filter((name) => vnfs[name]?.vim === cluster);
  return direct.flatMap((name) => [name, ...cnfsOn(name, vnfs, new Set([...seen, cluster]))]);
}

function refusalOf(name: string, cnfs: readonly string[]): string | undefined {
  if (cnfs.length === 0) return undefined;
  const [are, them] = cnfs.length === 1 ? ["is", "it"] : ["are", "them"];
  return (
    `vnfm:vnfs.${name}.heal.${ALL}: a new trigger value re-creates the whole cluster, and ${cnfs.join(", ")} ${are} on it: ` +
    `set vnfm:vnfs.${name}.evacuate to true to delete ${them} before and create ${them} again afterwards, or remove ` +
    `${them} from the stack first`
  );
}

/**
 * Warnings about trigger values of VNFCs that a scale-in has removed. A trigger value of a VNFC that can never exist is
 * an error.
 */
export function staleHeals(
  place: Place,
  { heal, additionalParams }: VnfSettings,
  servers: readonly PlannedServer[],
  flavour: DeploymentFlavour,
): string[] {
  const tokens = Object.keys(heal ?? {});
  const keys = [...servers.map((server) => server.key), ALL];
  const absent = tokens.filter((key) => !keys.includes(key));
  const isCnf = isOfObjects(additionalParams);
  const isOfVdu = (key: string): boolean => {
    const [, vdu] = /^(.+)-[1-9]\d*$/.exec(key) ?? [];
    return vdu !== undefined && Object.hasOwn(flavour.vdus, vdu) && !isCnf;
  };
  for (const key of absent.filter((one) => !isOfVdu(one))) {
    place
      .get("heal", key)
      .fault(`is not a VNFC of the instance; ${oneOf(keys)}${didYouMean(key, keys, tokens)}`);
  }
  return absent
    .filter(isOfVdu)
    .map(
      (key) =>
        `${place.get("heal", key).text}: there is no such VNFC at this scale level; the trigger value has no effect, remove it`,
    );
}
