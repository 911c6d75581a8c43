/**
 * Kubernetes from a signed apt repository, on servers whose image lacks it. The lab serves real packages at the paths
 * of pkgs.k8s.io, and apt installs them.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { aptRepository, REPOSITORY } from "../../support/apt-repository";
import type { Cluster } from "../../support/cluster";
import { changedClusterPackage, withBootScript } from "../../support/cluster-package";
import { clusterVnf } from "../../support/configs";
import { guestPath } from "../../support/lab";
import { TestStack } from "../../support/stack";

jest.setTimeout(12 * 60 * 1000);

const IMAGE = "debian-12-containerd";

let stack: TestStack;
let cluster: Cluster | undefined;
let key: string;

/** Command that locks apt's lists for half a minute after the end of cloud-init. */
const BUSY_APT = `systemd-run --unit=busy-apt python3 -c "\
import fcntl, time; f = open('/var/lib/apt/lists/lock', 'w'); fcntl.lockf(f, fcntl.LOCK_EX); time.sleep(30)"
sleep 1`;

beforeAll(async () => {
  key = (await aptRepository()).signed_by;
  stack = await TestStack.create("apt", {});
  changedClusterPackage(join(stack.folder, "package"), "simple", withBootScript(BUSY_APT, "workerNode"));
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

function configure(workers: number, apt_repository: object): void {
  const vnf = clusterVnf(workers, { kubernetes_version: "v1.33.0", apt_repository });
  stack.configure({
    "vnf-a": { ...vnf, package: "package", images: { masterNode: IMAGE, workerNode: IMAGE } },
  });
}

/** Lists the files that a server has changed in its image, as seen on the host. */
async function changesOn(vnfc: string): Promise<string> {
  const { vnfcs } = await stack.vnf("vnf-a");
  return guestPath(vnfcs[vnfc]?.serverId ?? "");
}

it("the failed run names the repository whose signature is of another key, also where apt was busy at first", async () => {
  const home = join(stack.folder, "gnupg");
  const gpg = (...args: string[]) => execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", ...args]);
  execFileSync("install", ["-d", "-m", "700", home]);
  gpg("--passphrase", "", "--quick-generate-key", "somebody else", "ed25519", "sign", "never");
  const other = gpg("--export").toString("base64");
  execFileSync("gpgconf", ["--homedir", home, "--kill", "gpg-agent"]);
  configure(1, { url: REPOSITORY, signed_by: other });
  const { status, stdout } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout).toContain("NO_PUBKEY");
  for (const node of ["vnf-a-masternode-1", "vnf-a-workernode-1"]) {
    expect(stdout).toContain(
      `${node}: the apt repository ${REPOSITORY} is not signed by the key in apt_repository.signed_by`,
    );
  }
});

it("the next run makes a cluster of the repository's packages on the same servers", async () => {
  configure(1, { url: REPOSITORY, signed_by: key });
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
});

it.each(["masterNode-1", "workerNode-1"])(
  "the node has them on hold in the version asked for: %s",
  async (vnfc) => {
    const changes = await changesOn(vnfc);
    const listed = execFileSync("dpkg-query", [
      `--admindir=${join(changes, "var/lib/dpkg")}`,
      "--show",
      "--showformat=${db:Status-Abbrev} ${Package} ${Version}\n",
      "kubelet",
      "kubeadm",
      "kubectl",
    ]).toString();
    expect(listed.split("\n").filter(Boolean).sort()).toEqual([
      "hi  kubeadm 1.33.0-1.1",
      "hi  kubectl 1.33.0-1.1",
      "hi  kubelet 1.33.0-1.1",
    ]);
    expect(readFileSync(join(changes, "etc/apt/sources.list.d/kubernetes.sources"), "utf8")).toBe(
      `Types: deb\nURIs: ${REPOSITORY}\nSuites: /\nSigned-By: /etc/apt/keyrings/kubernetes.gpg\n`,
    );
  },
);

it("the repository changes nothing in a run that follows", async () => {
  expect(await stack.changes()).toEqual([]);
});

it("the stack needs no repository for the members of a cluster", async () => {
  // with an unreachable repository, the script runs again on both nodes
  configure(1, { url: "http://198.19.0.1:9/", signed_by: key });
  expect(await stack.changes()).toContain("update vnf-a-workerNode-1-prepare");
  await stack.mustUp();
  expect(await cluster?.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
});
