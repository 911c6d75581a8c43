import { planOf } from "../../support/planned";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { recordedScript, recordedScripts } from "../../support/script-steps";
import { makeVnfs } from "../../../components/deploy/instance";
import { ARMORED_KEY, clusterFlavour, vnfPackage } from "../fixtures";
import { clusterOutputs } from "./outputs";

let recorded: RecordedResource[];

const vnfs = (kubernetes_version: string) => ({
  "vnf-a": {
    package: "p",
    scale: { worker_instance: 0 },
    extVirtualLinks: { masterNode_CP1: { network: "public" }, workerNode_CP2: { network: "public" } },
    additionalParams: {
      k8s_cluster_installation_param: {
        master_node: { ssh_cp_name: "masterNode_CP1", password: "hunter2" },
        worker_node: { ssh_cp_name: "workerNode_CP2" },
        kubernetes_version,
        apt_repository: { signed_by: ARMORED_KEY, packages: ["cri-tools", "jq"] },
      },
    },
  },
});

const make = async (version: string): Promise<void> => {
  recorded = recordResources((resource) => clusterOutputs(resource, { zone: "rack 1/left" }));
  makeVnfs(
    planOf(vnfs(version), {
      loadPackage: (location) => vnfPackage(location, { simple: clusterFlavour() }),
      readProjectFile: () => "{apiVersion: v1, kind: ConfigMap, metadata: {name: cni}, api: ${API_HOST}}",
    }),
  );
  await settle();
};

const of = (type: string) => recorded.filter((resource) => resource.type === type);
/** Returns the script resources. */
const scripts = () => {
  const names = recordedScripts(recorded).map(({ name }) => name);
  return recorded.filter(({ name }) => names.includes(name));
};

describe("a cluster VNF of one master and two workers", () => {
  beforeAll(() => make("v1.33.0"));

  it("makes its servers under the names of the VNFCs", () => {
    expect(
      of("openstack:compute/instance:Instance").map(({ name, inputs }) => [name, inputs["name"]]),
    ).toEqual([
      ["vnf-a-masterNode-1-server", "vnf-a-masternode-1"],
      ["vnf-a-workerNode-1-server", "vnf-a-workernode-1"],
      ["vnf-a-workerNode-2-server", "vnf-a-workernode-2"],
    ]);
  });

  it("runs on each node the scripts of its role, bound to its server, or to the cluster that outlives it", () => {
    expect(
      scripts()
        .map(({ name, inputs }) => `${name} ${JSON.stringify(inputs["triggers"])}`)
        .sort(),
    ).toEqual([
      'vnf-a-masterNode-1-access ["vnf-a-masternode-1"]',
      'vnf-a-masterNode-1-addons ["vnf-a-masternode-1"]',
      'vnf-a-masterNode-1-certificates ["vnf-a-masterNode-1-server-id"]',
      'vnf-a-masterNode-1-cni ["vnf-a-masternode-1"]',
      'vnf-a-masterNode-1-copy ["vnf-a-masterNode-1-server-id"]',
      'vnf-a-masterNode-1-init ["vnf-a-masternode-1"]',
      'vnf-a-masterNode-1-labels ["vnf-a-masterNode-1-server-id"]',
      'vnf-a-masterNode-1-prepare ["vnf-a-masterNode-1-server-id"]',
      'vnf-a-masterNode-1-restore ["vnf-a-masterNode-1-server-id"]',
      'vnf-a-masterNode-1-service-account ["vnf-a-masternode-1"]',
      'vnf-a-masterNode-1-snapshots ["vnf-a-masterNode-1-server-id"]',
      'vnf-a-masterNode-1-version ["vnf-a-masternode-1"]',
      'vnf-a-workerNode-1-join ["vnf-a-workerNode-1-server-id"]',
      'vnf-a-workerNode-1-labels ["vnf-a-workerNode-1-server-id"]',
      'vnf-a-workerNode-1-member ["vnf-a-workerNode-1-server-id"]',
      'vnf-a-workerNode-1-prepare ["vnf-a-workerNode-1-server-id"]',
      'vnf-a-workerNode-1-ready ["vnf-a-workerNode-1-server-id"]',
      'vnf-a-workerNode-1-store ["vnf-a-workerNode-1-server-id"]',
      'vnf-a-workerNode-2-join ["vnf-a-workerNode-2-server-id"]',
      'vnf-a-workerNode-2-labels ["vnf-a-workerNode-2-server-id"]',
      'vnf-a-workerNode-2-member ["vnf-a-workerNode-2-server-id"]',
      'vnf-a-workerNode-2-prepare ["vnf-a-workerNode-2-server-id"]',
      'vnf-a-workerNode-2-ready ["vnf-a-workerNode-2-server-id"]',
    ]);
  });

  it("labels every Node with the zone of its server, in the characters of a label, the sole master's as kubeadm", () => {
    const labels = recordedScripts(recorded).filter(({ name }) => name.endsWith("-labels"));
    const beginnings = labels.map(({ data }) => data.split("\n").slice(0, 5).join(" "));
    const config = {
      "masternode-1": "'apiVersion: kubeadm.k8s.io/v1beta4",
      "workernode-1": "''",
      "workernode-2": "''",
    };
    expect(beginnings.sort()).toEqual(
      Object.entries(config).map(
        ([name, its]) =>
          `node_name='vnf-a-${name}' node_zone='rack-1-left' node_labels='' node_taints='' kubeadm_config=${its}`,
      ),
    );
  });

  it("verifies the host key of every host and logs nothing", () => {
    for (const { reach } of recordedScripts(recorded))
      for (const { hostKey } of reach.hosts) expect(hostKey).toBe("ssh-ed25519 AAAA");
    for (const { inputs } of scripts())
      expect(inputs).toMatchObject({ logging: "none", addPreviousOutputInEnv: false });
  });

  it("copies the sole master's control plane to the first worker when its server goes, and never else", () => {
    const command = (name: string) =>
      recorded.find((resource) => resource.name === `vnf-a-masterNode-1-${name}`)?.inputs ?? {};
    const actions = (name: string) =>
      ["create", "update", "delete"].filter((action) => command(name)[action] !== undefined);
    expect(actions("copy")).toEqual(["delete"]);
    expect(actions("restore")).toEqual(["create", "update"]);
    for (const name of ["copy", "restore"]) {
      const { data } = recordedScript(recorded, `vnf-a-masterNode-1-${name}`);
      expect(data.split("\n").filter((line) => /^store_(?!key)/.test(line))).toEqual([
        "store_node='vnf-a-workernode-1'",
        expect.stringMatching(/^store_address='10\.0\.0\.\d+'$/),
        "store_user='debian'",
        "store_host_key='ssh-ed25519 AAAA'",
      ]);
    }
  });

  it("keeps secrets out of everything that is not secret itself", () => {
    for (const { inputs } of recorded) {
      const plain = JSON.stringify(inputs, (_key, value: unknown) =>
        typeof value === "object" && value !== null && "4dabf18193072939515e22adb298388d" in value
          ? "[secret]"
          : value,
      );
      expect(plain).not.toMatch(/hunter2|BEGIN|abcdef\./);
    }
  });

  it("logs in with the password where one is given, else with the instance's own key", () => {
    const loginOf = (name: string) => recordedScript(recorded, name).reach.login;
    expect(loginOf("vnf-a-masterNode-1-prepare")).toEqual({ user: "debian", password: "hunter2" });
    expect(loginOf("vnf-a-workerNode-1-prepare")).toEqual({ user: "debian", keys: ["-----BEGIN\n"] });
  });

  it("tells every node of the apt repository, by default that of the Kubernetes project", () => {
    for (const { data } of recordedScripts(recorded).filter(({ name }) => name.endsWith("-prepare"))) {
      expect(data.split("\n").filter((line) => line.startsWith("apt_"))).toEqual([
        "apt_url='https://pkgs.k8s.io/core:/stable:/v1.33/deb/'",
        "apt_suite='/'",
        "apt_components=''",
        expect.stringMatching(/^apt_key='mDME[A-Za-z0-9+/]+=*'$/),
        "apt_version='1.33.0'",
        "apt_packages='cri-tools jq'",
      ]);
    }
  });

  it("opens SSH, the API and node ports to the management networks only", () => {
    const toAll = of("openstack:networking/secGroupRule:SecGroupRule").filter(
      ({ inputs }) => inputs["remoteGroupId"] === undefined && inputs["direction"] === "ingress",
    );
    expect(
      toAll.map(({ inputs }) => `${String(inputs["protocol"])}/${String(inputs["portRangeMin"])}`).sort(),
    ).toEqual(["sctp/30000", "tcp/22", "tcp/30000", "tcp/6443", "udp/30000"]);
  });

  it("lets all servers reach everything, whatever rules Neutron gives a new group", () => {
    const egress = of("openstack:networking/secGroupRule:SecGroupRule")
      .filter(({ inputs }) => inputs["direction"] === "egress")
      .map(({ name, inputs }) => [name, inputs["securityGroupId"], inputs["ethertype"], inputs["protocol"]]);
    expect(egress).toEqual([
      ["vnf-a-egress-ipv4", "vnf-a-id", "IPv4", undefined],
      ["vnf-a-egress-ipv6", "vnf-a-id", "IPv6", undefined],
    ]);
    const groups = of("openstack:networking/secGroup:SecGroup");
    const open = groups.filter(({ inputs }) => inputs["deleteDefaultRules"] === true);
    expect(open.map(({ name }) => name)).toEqual(["vnf-a"]);
  });

  it("opens etcd and the API on masters alone, etcd to masters alone", () => {
    const rules = of("openstack:networking/secGroupRule:SecGroupRule").map(({ inputs }) => inputs);
    const from = (port: number) =>
      rules
        .filter((rule) => rule["portRangeMin"] === port)
        .map((rule) => [rule["securityGroupId"], rule["remoteGroupId"] ?? rule["remoteIpPrefix"]])
        .sort();
    expect(from(2379)).toEqual([["vnf-a-masters-id", "vnf-a-masters-id"]]);
    expect(from(6443)).toEqual([
      ["vnf-a-masters-id", "0.0.0.0/0"],
      ["vnf-a-masters-id", "vnf-a-id"],
    ]);
  });
});

describe("a cluster's version of Kubernetes", () => {
  const lines = (name: string) => recordedScript(recorded, `vnf-a-${name}`).data.split("\n");

  it("is compared on nodes with the numbers of the version skew policy", async () => {
    await make("v1.33.0");
    expect(lines("workerNode-1-join")).toContain("kubelet_minors_behind='3'");
    expect(lines("masterNode-1-restore")).toContain("minors_at_a_time='1'");
    expect(lines("masterNode-1-version")).toEqual(
      expect.arrayContaining([
        "oldest_upgrade_minor='32'",
        "minors_at_a_time='1'",
        "kubelet_minors_behind='3'",
      ]),
    );
  });

  it("changes nothing of how the nodes that are there have joined", async () => {
    const joined = () => recordedScripts(recorded).filter(({ name }) => /-(join|member|labels)$/.test(name));
    await make("v1.33.0");
    const before = joined();
    await make("v1.34.4");
    expect(before.map(({ name }) => name)).toContain("vnf-a-workerNode-1-join");
    expect(joined()).toEqual(before);
  });
});
