import { sayLoss } from "../../../automation/lost-master";

const lost = { master: "masterNode-1", worker: "workerNode-1" };

describe("a sole master that does not answer", () => {
  it("comes back as its last snapshot has it, which is said before anything changes", () => {
    expect(sayLoss("vnf-a", { ...lost, taken: "2026-11-23T03:05:00Z" })).toBe(
      "vnf-a: masterNode-1 does not answer: its etcd comes back as of 2026-11-23T03:05:00Z, and what was written since is lost",
    );
  });

  it.each([
    ["no snapshot was taken", "", "and workerNode-1 has no snapshot of its etcd"],
    ["its worker is lost too", undefined, "nor does workerNode-1, which has snapshots of its etcd"],
  ])("is left as it is where %s", (_, taken, why) => {
    expect(() => sayLoss("vnf-a", { ...lost, taken })).toThrow(
      `masterNode-1 does not answer, ${why}. Bring one of them back, or make the cluster anew: vnfm heal vnf-a all`,
    );
  });
});
