import { planOf } from "../../support/planned";
import { SettingsFault } from "../../../components/base/settings-fault";
import { clusterVnf, webCnf } from "../../support/configs";

/** Where the parameters of the cluster of `validConfig` are. */
export const INSTALLATION = "vnf-a.additionalParams.k8s_cluster_installation_param";

/** A cluster and a CNF on it. */
export function validConfig(): Record<string, unknown> {
  return structuredClone({ "vnf-a": clusterVnf(2), "vnf-b": webCnf("web") });
}

/** A valid config with other values at some settings, `a.list[0].b`; undefined removes one. */
export function configWith(
  changes: Readonly<Record<string, unknown>>,
  config = validConfig(),
): Record<string, unknown> {
  for (const [setting, value] of Object.entries(changes)) {
    const keys = setting.replaceAll(/\[(\d+)\]/g, ".$1").split(".");
    const last = keys.pop() ?? "";
    let place = config;
    for (const key of keys) place = (place[key] ??= {}) as Record<string, unknown>;
    if (value === undefined) delete place[last];
    else place[last] = value;
  }
  return config;
}

/** The faults that the program shows, each without `vnfm:vnfs.` in front. */
export function faultsOf(vnfs: unknown): string[] {
  try {
    planOf(vnfs);
  } catch (error) {
    if (error instanceof SettingsFault)
      return error.faults.map((fault) => fault.replace(/^vnfm:vnfs\.?/, ""));
    throw error;
  }
  return [];
}

/** Setting, wrong value (undefined: left out), what is said of it; where the fault is deeper in the value: there. */
export type WrongSetting = readonly [setting: string, value: unknown, message: string, at?: string];

/** Tests that each of the settings under a path, and nothing else, is refused. */
export function refuseSettings(
  what: string,
  path: string,
  rows: readonly WrongSetting[],
  config = validConfig,
): void {
  describe(`wrong settings of ${what}`, () => {
    it.each(rows.map((row) => [row]))("%j", ([setting, value, message, at = ""]) => {
      expect(faultsOf(configWith({ [`${path}.${setting}`]: value }, config()))).toEqual([
        `${path}.${setting}${at}: ${message}`,
      ]);
    });
  });
}

/** What contradicts what, the changes of a valid config that bring it about, all that is said. */
export type Contradiction = readonly [
  what: string,
  changes: Readonly<Record<string, unknown>>,
  ...faults: string[],
];

/** Tests that each is refused, with these faults. */
export function refuseContradictions(rows: readonly Contradiction[], config = validConfig): void {
  it.each(rows.map((row) => [row]))("refuses %j", ([, changes, ...faults]) => {
    expect(faultsOf(configWith(changes, config()))).toEqual(faults);
  });
}
