/** What is said where a quota does not suffice. */
import {
  amountsOf,
  multiplied,
  quotaShortage,
  type Demand,
  type ServersOfFlavor,
} from "../../../components/plan/quota";

test("each resource that does not suffice is a row, with who wants how much of it", () => {
  const wanted = [
    { instance: "vnf-a", amounts: { servers: 3, cores: 8, "RAM (MiB)": 16384, ports: 3 } },
    { instance: "web", amounts: {} },
    { instance: "tenant-a", amounts: { servers: 2, cores: 4, "RAM (MiB)": 8192, "floating IPs": 0 } },
  ];
  const quotas = {
    servers: { used: 5, limit: 10 },
    cores: { used: 90, limit: 100 },
    "RAM (MiB)": { used: 184320, limit: 204800 },
    ports: { used: 498, limit: 500 },
    "floating IPs": { used: 12, limit: 10 },
  };
  expect(quotaShortage(wanted, quotas)).toBe(
    [
      "the project's quota does not suffice for what would be created:",
      "  resource   wanted    used   limit  required by",
      "  cores          12      90     100  vnf-a (8), tenant-a (4)",
      "  RAM (MiB)   24576  184320  204800  vnf-a (16384), tenant-a (8192)",
      "  ports           3     498     500  vnf-a (3)",
      "nothing was created: request a higher quota, or reduce the instances",
    ].join("\n"),
  );
});

test("the cloud of a shortage is named if it is not that of the stack", () => {
  const wanted = [{ instance: "vnf-a", amounts: { servers: 3 } }];
  expect(quotaShortage(wanted, { servers: { used: 0, limit: 1 } }, "edge")).toContain(
    "the project's quota in the cloud edge does not suffice",
  );
});

test.each([
  ["what suffices exactly", { used: 7, limit: 10 }],
  ["what has no limit", { used: 700, limit: -1 }],
  ["what the cloud does not tell", undefined],
])("nothing is said of %s", (_, servers) => {
  const wanted = [{ instance: "vnf-a", amounts: { servers: 3 } }];
  expect(quotaShortage(wanted, servers ? { servers } : {})).toBeUndefined();
});

test("a limit that is none of what is wanted is told", () => {
  const wanted = [{ instance: "vnf-a", amounts: { routers: 1 } }];
  expect(quotaShortage(wanted, { routers: { used: 0, limit: 0 } })).toContain(
    "  routers        1     0      0  vnf-a (1)",
  );
});

test("cores and RAM are those of flavors by name, by id and by size; an unknown flavor counts as a server", () => {
  const servers: ServersOfFlavor[] = [
    { flavor: { kind: "name", name: "m1.small" }, count: 1 },
    { flavor: { kind: "name", name: "2" }, count: 3 },
    { flavor: { kind: "size", vcpus: 8, ramMiB: 1024, diskGiB: 10 }, count: 1 },
    { flavor: { kind: "name", name: "gone" }, count: 2 },
  ];
  const known = [
    { id: "1", name: "m1.small", vcpus: 1, ram: 2048 },
    { id: "2", name: "m1.medium", vcpus: 2, ram: 4096 },
  ];
  expect(amountsOf({ servers, amounts: { ports: 4 } }, known)).toEqual({
    ...{ servers: 7, cores: 15, "RAM (MiB)": 15360, ports: 4 },
  });
});

test("amounts are multiplied, also by numbers that no list could have", () => {
  expect(multiplied(5_000_000_000, { ports: 2 })).toEqual({ ports: 10_000_000_000 });
  const none: Demand = {
    servers: [{ flavor: { kind: "name", name: "m1.small" }, count: 0 }],
    amounts: multiplied(0, { ports: 2 }),
  };
  expect(amountsOf(none, [])).toEqual({ servers: 0, cores: 0, "RAM (MiB)": 0, ports: 0 });
});
