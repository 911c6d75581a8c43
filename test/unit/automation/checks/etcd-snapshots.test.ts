/** Tests of the lines and findings of `vnfm check` about snapshots of etcd. */
import { keptIn, describeSnapshots, snapshotReport } from "../../../../automation/checks/etcd-snapshots";
import type { Script } from "../../../../automation/stack/stack-state";

const CA = "0".repeat(64);
const TIME = "2026-11-23T03:05:00Z";
const header = `${TIME} 12 3 v1.33.0 ${CA} vnf-a-masternode-1`;
const script = (vnfc: string, step: string, file: Script["script"]): Script => ({
  ...{ urn: step, vnf: "vnf-a", vnfc, step, isRepeatable: true, script: file, stdin: "{}" },
});
const store = script("workerNode-1", "store", "control-plane-store.sh");
const taker = script("masterNode-1", "snapshots", "control-plane-snapshots.sh");
const kept = (age: number | null, open: number, snapshots = age === null ? [] : [header]) => ({
  ...{ status: 0, stderr: "", stdout: JSON.stringify({ copy: null, snapshots, age, open }) },
});
const said = (answer: Parameters<typeof keptIn>[0]) => {
  const { report, findings } = snapshotReport(store, [taker], answer);
  return [
    report && describeSnapshots(report),
    findings.map(({ vnfc, wayOut, text }) => [vnfc, wayOut, text]),
  ];
};
const line = (minutes: number) =>
  `vnf-a: etcd of ${TIME}, proven, ${minutes} min old, revision 12, on workerNode-1 (1 kept)`;
const late =
  "workerNode-1 has received no proven snapshot of etcd for more than 10 minutes%: see 'journalctl -u vnfm-control-plane-snapshot' there";

it("the age of snapshots is how old the newest one is", () => {
  expect(said(kept(181, 4000))).toEqual([line(3), []]);
  expect(said(kept(660, 4000))).toEqual([line(11), []]);
});

it("the age of snapshots is a finding where it is older than two intervals, which the script that takes one mends", () => {
  const found = ["masterNode-1", "mend", late.replace("%", `; the last one is of ${TIME}`)];
  expect(said(kept(661, 4000))).toEqual([line(11), [found]]);
  expect(said(kept(null, 4000))).toEqual([
    "vnf-a: no snapshot of etcd on workerNode-1 yet",
    [["masterNode-1", "mend", late.replace("%", "")]],
  ]);
});

it("the age of snapshots is none yet where the store has just been set up", () => {
  expect(said(kept(null, 30))).toEqual(["vnf-a: no snapshot of etcd on workerNode-1 yet", []]);
});

it("the age of snapshots is not known where the store does not answer, or says what is no time", () => {
  const unknown = (why: string) => [
    undefined,
    [["workerNode-1", undefined, `step store cannot be checked: ${why}`]],
  ];
  expect(said({ status: 255, stdout: "", stderr: "No route to host" })).toEqual(unknown("No route to host"));
  for (const wrong of ["", TIME, `${header} more`, header.replace("12", "x"), `x${header}`])
    expect(said(kept(1, 1, [wrong]))).toEqual(unknown("it reports no time"));
});
