import * as pulumi from "@pulumi/pulumi";
import { readServedKinds, readVersion } from "../preflight/cluster-queries";
import { Fault } from "../base/fault";
import { textOf } from "../base/findings";
import { ChartRenderer } from "../gather/charts";
import { withDefinitionWarnings } from "../preflight/definition-warnings";
import type { ProjectFiles } from "../gather/project-files";
import { readVimVersions } from "../gather/vim-versions";
import { once } from "../base/once";
import type { FormerOutputs } from "../plan/former-outputs";
import { refusedUpgrades } from "../plan/release-upgrades";
import { expiries } from "../plan/expiries";
import type { InstancePlan } from "../plan/model";
import { goneWarning } from "../plan/gone";
import { planStack } from "../plan/stack";
import { requiredCharts } from "../plan/required-charts";
import { printable } from "../base/printable";
import { assertFound } from "../remote/program-command";
import { assertClient } from "../remote/ssh-client";
import type { Settings } from "../settings/model";

/**
 * Plans the VNF instances of a run. A program with components is planned again each time it has created more of them.
 * Queries and warnings are not repeated.
 */
export class Planner {
  readonly #charts = new ChartRenderer();
  readonly #versionOf = once(readVersion);
  readonly #logged = new Set<string>();
  #client: Promise<void> | undefined;

  /**
   * @param files files of the project
   * @param former outputs of the last run
   */
  constructor(
    private readonly files: ProjectFiles,
    private readonly former: FormerOutputs,
  ) {}

  /**
   * Plans all instances, and logs the warnings.
   *
   * @param isMade returns true for an instance that this run has created already; it is left out
   * @throws SettingsFault with all errors
   */
  async plan(settings: Settings, isMade: (name: string) => boolean = () => false): Promise<InstancePlan[]> {
    assertFound(process.cwd());
    const versions = await readVimVersions(settings, this.former, this.#versionOf);
    const charts = await this.#charts.render(requiredCharts(settings, this.files, versions));
    const now = Date.now();
    const plans = planStack(settings, { ...this.files, charts, run: { former: this.former, now } });
    if (plans.some(({ kind }) => kind === "kubeadm")) await this.#usableClient();
    this.warn(expiries(plans, this.former, now).map(({ finding }) => textOf(finding)));
    this.warn(refusedUpgrades(plans, this.former));
    const gone = goneWarning(plans, this.former);
    if (gone !== undefined) this.warn([gone]);
    return withDefinitionWarnings(
      plans.filter(({ name }) => !isMade(name)),
      readServedKinds,
    );
  }

  /**
   * Checks once that the SSH client of this machine works.
   * @throws Fault
   */
  #usableClient(): Promise<void> {
    return (this.#client ??= assertClient().catch((error: Error) => {
      throw "code" in error ? error : new Fault(error.message);
    }));
  }

  /** Logs warnings, each only once. */
  warn(warnings: readonly string[]): void {
    for (const warning of warnings) {
      if (!this.#logged.has(warning)) void pulumi.log.warn(printable(warning));
      this.#logged.add(warning);
    }
  }
}
