import { planned } from "./support";

const named = (apiVersion: string, kind: string, length: number) =>
  `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${"a".repeat(length)}}}\n---\n`;

it("the plan warns of names with which no pod is made, before the run", () => {
  const yaml = [
    named("apps/v1", "StatefulSet", 53),
    named("batch/v1", "CronJob", 53),
    named("batch/v1", "Job", 64),
  ].join("");
  const name = (length: number) => "a".repeat(length);
  expect(planned(yaml).plan.warnings).toEqual([
    `vnfm:vnfs.cnf: StatefulSet ${name(53)} has a name of 53 characters; at most 52 are allowed: its pods have a label with it and a hash of 10 characters, so none would be created`,
    `vnfm:vnfs.cnf: CronJob ${name(53)} has a name of 53 characters; at most 52 are allowed: its Jobs are named after it and the time, so the API rejects it`,
    `vnfm:vnfs.cnf: Job ${name(64)} has a name of 64 characters; at most 63 are allowed: its pods have it as a label, so the API rejects it`,
  ]);
});

it.each([
  ["apps/v1", "StatefulSet", 52],
  ["batch/v1", "CronJob", 52],
  ["batch/v1", "Job", 63],
  ["apps/v1", "Deployment", 100],
  ["apps/v1", "DaemonSet", 100],
  ["example.com/v1", "StatefulSet", 100],
])("%s %s may have a name of %d characters", (apiVersion, kind, length) => {
  expect(planned(named(apiVersion, kind, length)).plan.warnings).toEqual([]);
});
