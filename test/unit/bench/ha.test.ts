import { HA_HEADING, haStages, renderHa } from "../../bench/ha";
import { clustersOf, planOf } from "../../bench/plans";

describe("the operations", () => {
  it("follow each other on one cluster: what was healed stays so", () => {
    const clusters = haStages().map(({ operation, vnfs }) => {
      const [vnf] = clustersOf(planOf(vnfs));
      const [masters, workers] = ["master", "worker"].map(
        (role) => vnf?.servers.filter((server) => server.role === role).length,
      );
      const healed = vnf?.servers.filter(({ healToken }) => healToken !== "").map(({ key }) => key);
      return [operation.heals, masters, workers, healed];
    });
    expect(clusters).toEqual([
      [undefined, 3, 2, []],
      ["workerNode-1", 3, 2, ["workerNode-1"]],
      ["masterNode-1", 3, 2, ["masterNode-1", "workerNode-1"]],
      [undefined, 3, 3, ["masterNode-1", "workerNode-1"]],
      [undefined, 3, 8, ["masterNode-1", "workerNode-1"]],
    ]);
  });
});

describe("the section of the page", () => {
  const section = renderHa(
    { byHand: [100, 40, 50, 20, 30], vnfm: [120, 52, 60, 25, 35], serial: [240, 52, 60, 25, 140] },
    1,
  );

  it("has each operation by hand, with vnfm and in the serial order", () => {
    expect(section.split("\n").filter((line) => line.startsWith("|"))).toEqual([
      "| operation                | by hand, s | `vnfm`, s | `vnfm` / by hand | serial order, s | serial / `vnfm` |",
      "| ------------------------ | ---------: | --------: | ---------------: | --------------: | --------------: |",
      "| `up`, 3+2                |      100.0 |     120.0 |             1.20 |           240.0 |            2.00 |",
      "| heal of a worker         |       40.0 |      52.0 |             1.30 |            52.0 |            1.00 |",
      "| heal of the first master |       50.0 |      60.0 |             1.20 |            60.0 |            1.00 |",
      "| +1 worker, 3+3           |       20.0 |      25.0 |             1.25 |            25.0 |            1.00 |",
      "| +5 workers, 3+8          |       30.0 |      35.0 |             1.17 |           140.0 |            4.00 |",
    ]);
  });

  it("says how five workers compare with one", () => {
    expect(section).toContain(
      "Five workers take 1.40 of what one takes with `vnfm`, 1.50 by hand, 5.60 in the serial order.\n",
    );
  });

  it("begins with its heading, which finds it in the page", () => {
    expect(section.startsWith(`${HA_HEADING}\n\n`)).toBe(true);
  });

  it("keeps the page's width outside of the table", () => {
    const wide = section.split("\n").filter((line) => !line.startsWith("|") && line.length > 110);
    expect(wide).toEqual([]);
  });
});
