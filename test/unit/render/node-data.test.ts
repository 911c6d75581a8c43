/** Data of the scripts on nodes. */
import type { PlannedServer } from "../../../components/plan/servers/model";
import { labelData } from "../../../components/render/node-data";

const servers = (count: number) => Array.from({ length: count }, () => ({}) as PlannedServer);

describe("the label of an only control-plane node", () => {
  const labelsOf = (role: "master" | "worker", count: number, config = "") => {
    const pool = { role, servers: servers(count), labels: { "example.com/rack": "1" } };
    return labelData("a", pool, { zone: "", config }).node_labels;
  };

  it("is on one that others may join, with the labels of its pool", () => {
    expect(labelsOf("master", 1)).toBe("example.com/rack=1,vnfm.io/only-control-plane-node=yes");
  });

  it.each([
    ["one of three", labelsOf("master", 3)],
    ["one without a shared address, which stays single", labelsOf("master", 1, "config")],
    ["a single worker", labelsOf("worker", 1)],
  ])("is not on %s", (_, labels) => {
    expect(labels).toBe("example.com/rack=1");
  });
});
