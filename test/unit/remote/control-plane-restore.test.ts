/** The first of several masters on a new server, with stand-ins: whether it begins the cluster again. */
import { AT_ONCE, StandIns } from "./stand-ins";

const standIns = new StandIns();
const names = ["store_node", "store_address", "store_user", "store_host_key", "store_key"];
const data = {
  ...Object.fromEntries(names.map((name) => [name, name])),
  ...{ node_name: "vnf-a-masternode-1", provider_id: "", not_before: "" },
  api_endpoint: "10.0.0.9:6440",
};

beforeEach(() => standIns.program("ssh-keygen", "echo key"));

const UNPACKED = { "  store get | unpack": "  true || store get | unpack" };

/** @param store what the store answers to `has`, and to all else */
const restored = (api: boolean, store: string, notBefore = "") => {
  standIns.program("kubectl", api ? "exit 0" : "exit 1");
  standIns.program("ssh", `echo "\${!#}" >>${standIns.at("told")}; ${store}`);
  const why = standIns.run(
    "control-plane-restore.sh",
    "create",
    { ...data, not_before: notBefore },
    {
      ...AT_ONCE,
      ...UNPACKED,
      "\n  begin_again\n": `\n  echo begins >>${standIns.at("told")}; exit 9\n`,
    },
  );
  return [why, standIns.log().split("\n").slice(0, -1)];
};

it("the first master joins the others where no snapshot was chosen, or the store does not answer", () => {
  expect(restored(true, "exit 1")).toEqual([undefined, ["has"]]);
  expect(restored(true, "exit 255")).toEqual([undefined, ["has", "has"]]);
});

it("the first master is told what to do where the others do not answer either", () => {
  expect(restored(false, "exit 1")).toEqual([
    expect.stringContaining(
      "so it cannot join: heal the other masters. If all are lost, 'vnfm restore' begins the cluster again from a snapshot of etcd",
    ),
    ["has"],
  ]);
});

it("the first master begins no second cluster beside others that answer, whatever snapshot was chosen", () => {
  expect(restored(true, "exit 0")).toEqual([undefined, ["has", "drop"]]);
});

describe("the first master, where the store is new and has the snapshot of the restore,", () => {
  const time = "2026-11-23T03:05:00Z";
  const newStore = `[ "\${!#}" != has ] || exit 1`;
  const selects = ["has", "has", `agree ${time}`];

  it("selects it, and begins the cluster", () => {
    expect(restored(false, newStore, time)).toEqual([expect.any(String), [...selects, "begins"]]);
  });

  it("begins no second cluster beside others that answer", () => {
    expect(restored(true, newStore, time)).toEqual([undefined, [...selects, "drop"]]);
  });
});

describe("the version of the cluster that begins again", () => {
  /** @param header version in that of the snapshot */
  const read = (header: string, kubeadm: string) => {
    standIns.program("kubeadm", `echo ${kubeadm}`);
    const call = `mkdir -p "$work"; echo "2026-11-23T03:05:00Z 12 3 ${header} 0 node" >"$work/header"; read_version; echo "$version" >${standIns.at("told")}`;
    const others = { 'exclusively\n"$1" </dev/null': call };
    return standIns.run("control-plane-restore.sh", "create", data, others) ?? standIns.log().trim();
  };

  it("is that of the snapshot", () => {
    expect(read("v1.33.2", "v1.33.9")).toBe("v1.33.2");
    expect(read("-", "v1.33.9")).toBe("v1.33.9");
  });

  it("is refused where the image is of another minor version", () => {
    expect(read("v1.33.2", "v1.34.0")).toContain("use an image of v1.33,");
  });
});
