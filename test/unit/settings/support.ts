import { planOf } from "../../support/planned";
import { SettingsFault } from "../../../components/base/settings-fault";
import { clusterVnf, webCnf } from "../../support/configs";

/** Path of the cluster's parameters in `validConfig`. */
export const INSTALLATION = "vnf-a.additionalParams.k8s_cluster_installation_param";

/** Returns a valid config: a cluster and a CNF on it. */
export function validConfig(): Record<string, unknown> {
  return structuredClone({ "vnf-a": clusterVnf(2), "vnf-b": webCnf("web") });
}

/** Returns a valid config with other values at some settings, such as `a.list[0].b`; undefined removes a setting. */
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

/** Returns the errors of a config, without the prefix `vnfm:vnfs.`. */
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

/** Setting, wrong value (undefined: without one), message, and the place of the error if it is inside the value. */
export type WrongSetting = readonly [setting: string, value: unknown, message: string, at?: string];

/** Declares a test for each wrong setting, which expects exactly this error. */
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

/** Title of a contradiction, the changes of a valid config that cause it, and all messages. */
export type Contradiction = readonly [
  what: string,
  changes: Readonly<Record<string, unknown>>,
  ...faults: string[],
];

/** Declares a test for each contradiction, which expects exactly these errors. */
export function refuseContradictions(rows: readonly Contradiction[], config = validConfig): void {
  it.each(rows.map((row) => [row]))("refuses %j", ([, changes, ...faults]) => {
    expect(faultsOf(configWith(changes, config()))).toEqual(faults);
  });
}
