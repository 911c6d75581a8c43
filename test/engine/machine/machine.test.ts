/**
 * A kubeadm cluster with a storage server on virtual machines: Debian's kernel under QEMU, cgroup v2, the kernel's NFS,
 * and all preflight checks of kubeadm. Kubernetes and NFS are installed by apt, as on Debian's cloud image, during the
 * unattended-upgrades of the first boot. It takes forty minutes, because the machines are slow. The steps build on each
 * other.
 */
import { join } from "node:path";
import { aptRepository } from "../../support/apt-repository";
import { bindClaim } from "../../support/claim";
import type { Cluster } from "../../support/cluster";
import { changedClusterPackage, withBootScript } from "../../support/cluster-package";
import { mustRun } from "../../support/command";
import { machineVnf } from "../../support/configs";
import { DebianRepository } from "../../support/debian-repository";
import { onServer } from "../../support/guest";
import { reboot } from "../../support/reboot";
import { TestStack } from "../../support/stack";
import { STORAGE } from "../../support/storage-server";
import { until } from "../../support/until";

const MINUTE = 60 * 1000;
jest.setTimeout(60 * MINUTE);

const MASTER = "masterNode-1";
const WORKER = "workerNode-1";

let stack: TestStack;
let cluster: Cluster;
let debian: DebianRepository;
let apt_repository: object;

/** Returns the cluster with changed settings. */
const vnf = (changes: object = {}) =>
  machineVnf(apt_repository, { package: "package", protectVolumes: false, ...changes });

/** Command that starts the services of Debian's daily timers. */
const UPGRADES = "systemctl start --no-block apt-daily.service apt-daily-upgrade.service";

beforeAll(async () => {
  await mustRun("lab/lab.sh", ["machine"]);
  // in seconds; a new API server may need more than the provider's 32 seconds for its schema here
  process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = "300";
  apt_repository = await aptRepository();
  debian = await DebianRepository.start();
  await debian.add("nfs-common", "nfs-kernel-server", "libnfsidmap1");
  stack = await TestStack.create("machine", { "vnf-a": vnf() });
  const withoutNfs = debian.without("nfs-kernel-server", "nfs-common");
  const ofNodes = withBootScript(`${withoutNfs}\n${UPGRADES}`, "masterNode", "workerNode");
  const ofStorage = withBootScript(withoutNfs, "storage_server");
  changedClusterPackage(join(stack.folder, "package"), "simple-storage", (definition) =>
    ofStorage(ofNodes(definition)),
  );
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
  debian?.close();
});

describe("instantiate", () => {
  it("vnfm brings up a cluster with nothing ignored", async () => {
    await stack.mustUp();
    cluster = await stack.cluster("vnf-a");
    expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  });

  it("the next run has nothing left to do afterwards", async () => {
    expect(await stack.changes()).toEqual([]);
    expect((await stack.check()).found).toEqual([]);
  });

  it.each([MASTER, WORKER])(
    "the node has Kubernetes from the apt repository beside unattended-upgrades on %s",
    async (vnfc) => {
      const seen = await onServer(
        stack,
        vnfc,
        `dpkg-query -W -f '\${db:Status-Abbrev}\${Package} \${Version}\\n' kubeadm kubectl kubelet
      grep -m 1 -o 'Starting unattended upgrades script' /var/log/unattended-upgrades/unattended-upgrades.log`,
      );
      expect(seen.split("\n")).toEqual([
        "hi kubeadm 1.33.0-1.1",
        "hi kubectl 1.33.0-1.1",
        "hi kubelet 1.33.0-1.1",
        "Starting unattended upgrades script",
        "",
      ]);
    },
  );

  it.each([MASTER, WORKER])("the node uses systemd and cgroup v2 on %s, and no swap", async (vnfc) => {
    const seen = await onServer(
      stack,
      vnfc,
      `stat -fc %T /sys/fs/cgroup
      grep ^cgroupDriver: /var/lib/kubelet/config.yaml
      ls -d /sys/fs/cgroup/kubepods.slice
      grep -c ^/ /proc/swaps || true`,
    );
    expect(seen).toBe("cgroup2fs\ncgroupDriver: systemd\n/sys/fs/cgroup/kubepods.slice\n0\n");
  });
});

/** Waits until the pod on the control-plane node gets the page on the volume of `web`, by the name of its Service. */
const pageIsThere = (minutes: number) =>
  until(minutes * 60, "the page to be there", async () => {
    const url = "http://web.default.svc.cluster.local/file";
    const asked = await cluster.tryKubectl(["exec", "client", "--", "timeout", "30", "wget", "-qO-", url]);
    return asked.stdout === "kept\n";
  });

const container = (command: string) => ({
  name: "main",
  image: "docker.io/library/busybox:1.36",
  command: ["/bin/sh", "-c", command],
});

/** A web server with its page on the volume, and a client on the other node. */
const objects = [
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", labels: { app: "web" } },
    spec: {
      nodeName: "vnf-a-workernode-1",
      containers: [
        {
          ...container("exec httpd -f -p 80 -h /data"),
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        },
      ],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "client" },
    spec: { nodeName: "vnf-a-masternode-1", containers: [container("exec sleep 1000000")] },
  },
];

const inWeb = (script: string) => cluster.kubectl(["exec", "web", "--", "/bin/sh", "-c", script]);

describe("pods", () => {
  it("mount an export of the kernel's server by the kernel's client", async () => {
    await bindClaim(cluster);
    await cluster.kubectl(
      ["apply", "-f", "-"],
      JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }),
    );
    await cluster.kubectl(["wait", "pod", "web", "client", "--for=condition=Ready", "--timeout=10m"]);
    expect(await inWeb("grep ' /data ' /proc/mounts")).toMatch(/ \/data nfs4 /);
    expect(await onServer(stack, STORAGE, "cat /proc/fs/nfsd/threads")).toMatch(/^[1-9]/);
    await inWeb("echo kept >/data/file");
  });

  it("reach each other between nodes, by the name of a Service", async () => {
    await pageIsThere(5);
  });
});

/** A DaemonSet whose pods all mount the same volume. */
const shared = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "shared" },
  spec: {
    selector: { matchLabels: { app: "shared" } },
    template: {
      metadata: { labels: { app: "shared" } },
      spec: {
        tolerations: [{ operator: "Exists" }],
        containers: [
          { ...container("exec sleep 1000000"), volumeMounts: [{ name: "data", mountPath: "/data" }] },
        ],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
      },
    },
  },
};

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName: string };
}

/**
 * Waits until a pod on each node has mounted the volume with the kernel's client, writes to it, and reads what all pods
 * have written.
 * @param word content to write; unique for each call
 */
async function expectShared(word: string, ...nodes: readonly string[]): Promise<void> {
  await until(20 * 60, `pods on ${nodes.join(", ")} to read each other's files`, async () => {
    const pods = await cluster.list<Pod>("pods", "-l", "app=shared");
    if (
      pods
        .map(({ spec }) => spec.nodeName)
        .sort()
        .join() !== nodes.join()
    )
      return false;
    const inEach = (script: (node: string) => string) =>
      Promise.all(
        pods.map(({ metadata, spec }) =>
          cluster.tryKubectl([
            ...["exec", metadata.name, "--", "timeout", "60"],
            ...["/bin/sh", "-c", `grep -q ' /data nfs4 ' /proc/mounts && ${script(spec.nodeName)}`],
          ]),
        ),
      );
    await inEach((node) => `echo ${node} ${word} >/data/of-${node}`);
    const read = await inEach(() => `cat ${nodes.map((node) => `/data/of-${node}`).join(" ")}`);
    return read.every(({ stdout }) => stdout === nodes.map((node) => `${node} ${word}\n`).join(""));
  });
}

describe("a volume that several nodes have at once", () => {
  it("is written and read by a pod on each", async () => {
    await cluster.kubectl(["apply", "-f", "-"], JSON.stringify(shared));
    await expectShared("first", "vnf-a-masternode-1", "vnf-a-workernode-1");
  });

  const NODES = ["vnf-a-masternode-1", "vnf-a-workernode-1", "vnf-a-workernode-2"];

  it("is so by one on a worker that is added", async () => {
    stack.configure({ "vnf-a": vnf({ scale: { worker_instance: 1 } }) });
    await stack.mustUp();
    await expectShared("added", ...NODES);
  });

  it("is so by one on a worker that is healed", async () => {
    stack.configure({ "vnf-a": vnf({ scale: { worker_instance: 1 }, heal: { "workerNode-2": "1" } }) });
    await stack.mustUp();
    await expectShared("healed", ...NODES);
    expect(await stack.changes()).toEqual([]);
  });

  it("stays with those that are left when a worker goes", async () => {
    stack.configure({ "vnf-a": vnf() });
    await stack.mustUp();
    await expectShared("less", "vnf-a-masternode-1", "vnf-a-workernode-1");
  });
});

describe("a reboot", () => {
  const again = async () => {
    await pageIsThere(15);
    await inWeb("echo more >>/data/more");
    await until(10 * 60, "vnfm check to find nothing", async () => (await stack.check()).found.length === 0);
  };

  it("of the storage server leaves the mount working, with the data", async () => {
    await reboot(stack, STORAGE);
    await again();
  });

  it("of the worker brings the pod and its mount back", async () => {
    await reboot(stack, WORKER);
    await again();
    expect(await inWeb("cat /data/more")).toBe("more\nmore\n");
  });
});

describe("terminate", () => {
  it("the deletion leaves nothing in OpenStack", async () => {
    stack.configure({});
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
