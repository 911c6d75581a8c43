import * as pulumi from "@pulumi/pulumi";
import { Findings, textOf } from "../base/findings";
import { printable } from "../base/printable";
import type { InstancePlan } from "../plan/model";
import { assertNone } from "../base/settings-fault";
import type { Connect } from "./cloud";
import { needProblems } from "./needs";
import { resourcesOf } from "./resources";

/**
 * Checks that the cloud has all resources that clusters from templates need, before anything is created: their
 * controllers would report a missing one in the middle of a run, and wait for it.
 * @param isThere returns true for an instance that an earlier run created; a missing resource is then only a warning,
 * as existing machines do not need their image any more
 * @param connect connects to the cloud, which is needed only for such clusters
 * @throws SettingsFault with all resources that are missing or ambiguous
 */
export async function checkClusterNeeds(
  plans: readonly InstancePlan[],
  isThere: (instance: string) => boolean,
  connect: Connect,
): Promise<void> {
  const clusters = plans
    .filter((plan) => plan.kind === "template")
    .filter(({ cloudNeeds }) => cloudNeeds.length > 0);
  if (clusters.length === 0) return;
  const cloud = await connect();
  const found = await Promise.all(
    clusters.flatMap(({ name, cloudNeeds }) =>
      cloudNeeds.map(async (need) => ({
        name,
        problems: await needProblems(need, new Findings().instance(name), cloud),
      })),
    ),
  );
  const begun = clusters.filter(({ name, madeNetwork }) => madeNetwork !== undefined && !isThere(name));
  const networks = begun.length > 0 ? await resourcesOf("network", cloud) : [];
  for (const { name, madeNetwork } of begun)
    if (networks.some((network) => network.name === madeNetwork))
      void pulumi.log.warn(
        printable(
          `${new Findings().instance(name).text}: the project already has a network ${madeNetwork}, which the cluster ` +
            `would use as its own. If it does not come from an interrupted run, rename the cluster`,
        ),
      );
  const faults = new Findings();
  for (const { name, problems } of found)
    for (const { finding, isLack } of problems)
      if (isLack && isThere(name))
        void pulumi.log.warn(printable(`${textOf(finding)}; no machine can be created from it`));
      else faults.add(finding);
  assertNone(faults);
}
