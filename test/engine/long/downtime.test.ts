/**
 * The outages of a highly available cluster and a CNF on it during each operation: docs/benchmarks.md has the figures.
 * The CNF follows the rules for high availability: replicas on different nodes, a PodDisruptionBudget, and pods that
 * still answer while they are removed from their Service.
 */
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { haStorageVnf } from "../../support/configs";
import type { Vnfcs } from "../../support/outputs";
import { onServer } from "../../support/guest";
import { answerOf, isSuccess, type Target, urlTarget } from "../../support/probe";
import { TestStack } from "../../support/stack";
import { STORAGE } from "../../support/storage-server";
import { FROM, kubelets, TO, WITH_IMAGES } from "../../support/versions";
import { objectsCnf } from "../../support/workload-cluster";
import { writeAndProbeDuring } from "../../support/writes";

jest.setTimeout(40 * 60 * 1000);

const NODE_PORT = 30080;
/** Limit in seconds. The lab has only two cores, and a late answer counts as an outage. */
const MOST_API_OUTAGE = 2;

const labels = { app: "web" };
const WEB = [
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "web",
              image: "nginx:1.27",
              imagePullPolicy: "IfNotPresent",
              readinessProbe: { httpGet: { path: "/", port: 80 }, periodSeconds: 2 },
              lifecycle: { preStop: { sleep: { seconds: 10 } } },
            },
          ],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: "kubernetes.io/hostname",
              whenUnsatisfiable: "ScheduleAnyway",
              labelSelector: { matchLabels: labels },
            },
          ],
        },
      },
    },
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "web" },
    spec: { minAvailable: 2, selector: { matchLabels: labels } },
  },
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { type: "NodePort", selector: labels, ports: [{ port: 80, nodePort: NODE_PORT }] },
  },
];

let stack: TestStack;
let cluster: Cluster;

const HEALED_IN_TURN = ["workerNode-2", "masterNode-1", "masterNode-3", STORAGE];
// without the ServiceAccount's token, because the probes use it
const ROTATED = { ssh_key: "1", certificates: "1" };
const HEALED = Object.fromEntries(HEALED_IN_TURN.map((vnfc) => [vnfc, "1"]));

interface Wanted {
  readonly workers?: number;
  readonly heal?: Readonly<Record<string, string>>;
  readonly rotate?: Readonly<Record<string, string>>;
}

const configOf = ({ workers = 3, ...changes }: Wanted = {}) => ({
  "vnf-a": { ...haStorageVnf(3, workers, { kubernetes_version: FROM }), protectVolumes: false, ...changes },
  web: objectsCnf(stack.folder, "web-package", "vnf-a", WEB),
});

beforeAll(async () => {
  await mustRun("lab/lab.sh", ["image", TO]);
  stack = await TestStack.create("downtime", {});
  stack.configure(configOf());
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

const vnf = () => stack.vnf("vnf-a");

/** Returns a target for the CNF's page at the node port of a node. */
function page(vnfcs: Vnfcs, vnfc: string): Target {
  const [address] = Object.values(vnfcs[vnfc]?.addresses ?? {});
  return urlTarget(`http://${address}:${NODE_PORT}/`);
}

/** Runs an operation, and expects that API and CNF stay available. @param leaving a worker whose server is deleted */
async function during(operation: string, work: () => Promise<unknown>, leaving?: string): Promise<void> {
  const { apiUrl, vnfcs } = await vnf();
  const targets: Record<"api" | "web", Target> = {
    api: urlTarget(`${apiUrl}/readyz`),
    web: page(vnfcs, "workerNode-1"),
    ...(leaving !== undefined && { "web by the node that leaves": page(vnfcs, leaving) }),
  };
  const [[, probed], { lostWrites, ...writes }] = await writeAndProbeDuring(cluster, targets, work, 100);
  for (const [of, { requests, failed, longestOutageSeconds }] of Object.entries({ ...probed, writes }))
    process.stderr.write(
      `${operation}: ${of}: ${failed} of ${requests} failed, ${longestOutageSeconds.toFixed(2)} s between two answers\n`,
    );
  expect(lostWrites).toEqual([]);
  expect(probed.web.failed).toBe(0);
  expect(probed.api.longestOutageSeconds).toBeLessThan(MOST_API_OUTAGE);
}

const up = (wanted: Wanted) => async () => {
  stack.configure(configOf(wanted));
  await stack.mustUp();
};

it("vnfm makes three masters, three workers and a storage server, with the CNF on each worker", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  const { vnfcs } = await vnf();
  const [address] = Object.values(vnfcs["workerNode-1"]?.addresses ?? {});
  expect(isSuccess(await answerOf(`http://${address}:${NODE_PORT}/`))).toBe(true);
});

it("a worker more leaves the CNF and the API there", () => during("+1 worker", up({ workers: 4 })));

it("a worker less leaves the CNF and the API there", () =>
  during("-1 worker", up({ workers: 3 }), "workerNode-4"));

it.each(HEALED_IN_TURN)("a heal of %s leaves the CNF and the API there", async (vnfc) => {
  const healed = HEALED_IN_TURN.slice(0, HEALED_IN_TURN.indexOf(vnfc) + 1);
  const heal = Object.fromEntries(healed.map((it) => [it, "1"]));
  await during(`heal of ${vnfc}`, up({ heal }), vnfc.startsWith("worker") ? vnfc : undefined);
});

it("a rotation of keys and certificates leaves the CNF and the API there", async () => {
  await during("rotate", up({ heal: HEALED, rotate: ROTATED }));
  cluster.close();
  cluster = await stack.cluster("vnf-a");
});

it("a mend of HAProxy's configuration leaves the CNF and the API there", async () => {
  await onServer(stack, "masterNode-2", "echo '# edited' >>/etc/haproxy/haproxy.cfg");
  await during("mend", async () => expect((await stack.vnfm("mend", "--yes")).status).toBe(0));
});

it("an upgrade to another minor version leaves the CNF and the API there", async () => {
  await during("upgrade", async () => {
    const { status, stderr } = await stack.vnfm("upgrade", "vnf-a", "--to", TO, ...WITH_IMAGES, "--yes");
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  });
  expect(new Set(Object.values(await kubelets(cluster)))).toEqual(new Set([TO]));
});

it("the cluster is terminated", async () => {
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
