import { planned } from "./support";

const named = (apiVersion: string, kind: string, length: number) =>
  `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: ${"a".repeat(length)}}}\n---\n`;

it("warns of names with which no pod is made, before the run", () => {
  const yaml = [
    named("apps/v1", "StatefulSet", 53),
    named("batch/v1", "CronJob", 53),
    named("batch/v1", "Job", 64),
  ].join("");
  const name = (length: number) => "a".repeat(length);
  expect(planned(yaml).plan.warnings).toEqual([
    `vnfm:vnfs.cnf: StatefulSet ${name(53)} has a name of 53 characters, of at most 52: its pods have a label of it and a hash of 10 characters, and none would be made`,
    `vnfm:vnfs.cnf: CronJob ${name(53)} has a name of 53 characters, of at most 52: its Jobs are named after it and the time, and the API refuses it`,
    `vnfm:vnfs.cnf: Job ${name(64)} has a name of 64 characters, of at most 63: its pods have it as a label, and the API refuses it`,
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
