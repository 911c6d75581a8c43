/** The first of several masters on a new server, with stand-ins: whether it begins the cluster again. */
import { AT_ONCE, StandIns } from "./stand-ins";

const standIns = new StandIns();
const names = ["store_node", "store_address", "store_user", "store_host_key", "store_key"];
const data = {
  ...Object.fromEntries(names.map((name) => [name, name])),
  ...{ node_name: "vnf-a-masternode-1", kubernetes_version: "", provider_id: "", not_before: "" },
  api_endpoint: "10.0.0.9:6440",
};

beforeEach(() => standIns.program("ssh-keygen", "echo key"));

/** @param store what the store answers to `has`, and to all else */
const restored = (api: boolean, store: string, others: Readonly<Record<string, string>> = AT_ONCE) => {
  standIns.program("kubectl", api ? "exit 0" : "exit 1");
  standIns.program("ssh", `echo "\${!#}" >>${standIns.at("told")}; ${store}`);
  const why = standIns.run("control-plane-restore.sh", "create", data, {
    ...others,
    "\n  begin_again\n": `\n  echo begins >>${standIns.at("told")}; exit 9\n`,
  });
  return [why, standIns.told().split("\n").slice(0, -1)];
};

it("joins the others where no snapshot was chosen, or the store does not answer", () => {
  expect(restored(true, "exit 1")).toEqual([undefined, ["has"]]);
  expect(restored(true, "exit 255")).toEqual([undefined, ["has", "has"]]);
});

it("is told what to do where the others do not answer either", () => {
  expect(restored(false, "exit 1")).toEqual([
    expect.stringContaining(
      "so it cannot join: heal the other masters. If all are lost, 'vnfm restore' begins the cluster again from a snapshot of etcd",
    ),
    ["has"],
  ]);
});

it("begins no second cluster beside others that answer, whatever snapshot was chosen", () => {
  expect(restored(true, "exit 0")).toEqual([undefined, ["has", "drop"]]);
});

describe("the version of the cluster that begins again", () => {
  /** @param header version in that of the snapshot */
  const chosen = (header: string, kubeadm: string, wanted: string) => {
    standIns.program("kubeadm", `echo ${kubeadm}`);
    const call = `mkdir -p "$work"; echo "2026-11-23T03:05:00Z 12 3 ${header} 0 node" >"$work/header"; choose_version; echo "$version" >${standIns.at("told")}`;
    const why = standIns.run(
      "control-plane-restore.sh",
      "create",
      { ...data, kubernetes_version: wanted },
      { 'exclusively\n"$1" </dev/null': call },
    );
    return why ?? standIns.told().trim();
  };

  it("is that of the snapshot, or the wanted one if that is a newer patch", () => {
    expect(chosen("v1.33.2", "v1.33.9", "")).toBe("v1.33.2");
    expect(chosen("v1.33.2", "v1.33.9", "v1.33.10")).toBe("v1.33.10");
    expect(chosen("v1.33.2", "v1.33.9", "v1.33.0")).toBe("v1.33.2");
    expect(chosen("-", "v1.33.9", "")).toBe("v1.33.9");
  });

  it("is refused where the image or the setting is of another minor version", () => {
    expect(chosen("v1.33.2", "v1.34.0", "")).toContain("use an image of v1.33,");
    expect(chosen("v1.33.2", "v1.33.0", "v1.34.0")).toContain("kubernetes_version is v1.34.0");
  });
});
