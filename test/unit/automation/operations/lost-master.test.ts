import { sayLoss, type Lost } from "../../../../automation/operations/lost-master";

const lost: Lost = {
  vnf: "vnf-a",
  master: "masterNode-1",
  worker: "workerNode-1",
  isReached: "No route to host",
  kept: { copy: null, snapshot: "2026-11-23T03:05:00Z" },
  isHealed: false,
};
const away = "masterNode-1 does not answer (No route to host)";

describe("a sole master that cannot make a copy of its etcd", () => {
  it("comes back as its last snapshot has it, which is said before anything changes", () => {
    expect(sayLoss(lost)).toEqual([
      `vnf-a: ${away}: its etcd comes back as of 2026-11-23T03:05:00Z, and what was written since is lost`,
    ]);
    expect(sayLoss({ ...lost, isReached: false })).toEqual([
      "vnf-a: masterNode-1 has no control plane: its etcd comes back as of 2026-11-23T03:05:00Z, and what was written since is lost",
    ]);
  });

  it("comes back as its copy has it where it has left one, and the operator sees of when that is", () => {
    const kept = { copy: "2026-11-23T03:07:12Z", snapshot: "2026-11-23T03:05:00Z" };
    expect(sayLoss({ ...lost, kept })).toEqual([
      `vnf-a: ${away}: its etcd comes back as of 2026-11-23T03:07:12Z, by the copy on workerNode-1`,
    ]);
  });

  it.each<[string, Partial<Lost>, string]>([
    [
      "no snapshot was taken",
      { kept: { copy: null, snapshot: null } },
      `${away}, and workerNode-1 has no snapshot of its etcd. Bring masterNode-1 back, or make the cluster anew: vnfm heal vnf-a all`,
    ],
    [
      "its worker does not answer either",
      { kept: { unknown: "Connection timed out" } },
      `${away}, and whether workerNode-1 has a snapshot of its etcd cannot be asked: Connection timed out`,
    ],
    [
      "its worker is to be healed with it",
      { isHealed: true },
      `${away}, and workerNode-1 has its etcd. First: vnfm heal vnf-a masterNode-1`,
    ],
    [
      "it is back after a heal that failed",
      { isReached: true },
      "masterNode-1 is back after a heal of it that failed: set vnfm:vnfs.vnf-a.heal.masterNode-1 back to the token before that one",
    ],
  ])("is left as it is where %s", (_, state, why) => {
    expect(() => sayLoss({ ...lost, ...state })).toThrow(why);
  });
});
