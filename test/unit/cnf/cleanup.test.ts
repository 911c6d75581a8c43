/** What is left in the cloud before a controller goes with its cluster. */
import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import { Cnf } from "../../../components/deploy/objects/cnf";
import { recordResources, settle } from "../../support/mocks";
import { kubeconfig } from "../fixtures";
import { planned } from "./support";

const SERVICES = "/api/v1/services";
const VOLUMES = "/api/v1/persistentvolumes";
const DRIVER = "cinder.csi.openstack.org";

let server: Server;
let services: object[];
let volumes: object[];
let deleted: string[];

beforeAll((done) => {
  server = createServer(({ method, url = "" }, response) => {
    if (method === "DELETE") {
      deleted.push(url);
      services = services.filter((service) => service !== shop);
    }
    response.end(JSON.stringify({ items: url === SERVICES ? services : url === VOLUMES ? volumes : [] }));
  }).listen(0, "127.0.0.1", done);
});
afterAll(() => server.close());

const shop = { metadata: { namespace: "other", name: "shop", uid: "1" }, spec: { type: "LoadBalancer" } };
const inside = { metadata: { namespace: "other", name: "db", uid: "2" }, spec: { type: "ClusterIP" } };
const volume = (driver: string, volumeHandle: string) => ({
  metadata: { name: `pv-${volumeHandle}` },
  spec: {
    csi: { driver, volumeHandle },
    capacity: { storage: "10Gi" },
    claimRef: { namespace: "other", name: "data" },
    persistentVolumeReclaimPolicy: "Delete",
  },
  status: { phase: "Bound" },
});

beforeEach(() => {
  services = [shop, inside];
  volumes = [volume(DRIVER, "v1"), volume("nfs.csi.k8s.io", "v2")];
  deleted = [];
});

function run(data: object, port = (server.address() as AddressInfo).port) {
  const access = { cluster: { server: `http://127.0.0.1:${port}` }, user: { token: "t" } };
  return new Promise<{ failed: boolean; stdout: string; stderr: string }>((resolve) => {
    const script = ["components/deploy/objects/scripts/cleanup.cjs", "delete"];
    const child = execFile("node", script, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr }),
    );
    child.stdin?.end(JSON.stringify({ access, seconds: 1, balances: false, drivers: [], ...data }));
  });
}

test("deletes the Services with a load balancer, and says so", async () => {
  const { failed, stderr } = await run({ balances: true });
  expect([failed, deleted]).toEqual([false, ["/api/v1/namespaces/other/services/shop"]]);
  expect(stderr).toBe(
    "Service other/shop is deleted, for its load balancer: nobody would delete that without it\n",
  );
});

test("fails where a load balancer does not go, with whom it waits for", async () => {
  const finalizers = ["service.kubernetes.io/load-balancer-cleanup"];
  const metadata = {
    namespace: "other",
    name: "stuck",
    deletionTimestamp: "2026-01-01T00:00:00Z",
    finalizers,
  };
  services = [{ metadata, spec: { type: "LoadBalancer" } }];
  const { failed, stdout } = await run({ balances: true });
  expect([failed, deleted]).toEqual([true, []]);
  expect(stdout).toMatch(
    /^not gone after 1 s:\nService other\/stuck .* the cloud controller manager to delete/,
  );
});

test("names the volumes of its drivers, which stay", async () => {
  const { failed, stderr } = await run({ drivers: [DRIVER] });
  expect([failed, deleted]).toEqual([false, []]);
  expect(stderr).toBe(`volume v1 of ${DRIVER}, 10Gi of the claim other/data, stays without the cluster\n`);
});

test("is made where a CNF brings a CSI driver to a cluster of the stack, and nowhere else", async () => {
  const recorded = recordResources();
  const lifetime = new pulumi.ComponentResource("test:Cluster", "cluster");
  const args = { readyTimeout: "2m", kubeconfig: pulumi.secret(kubeconfig("c")), lifetime };
  const driver = `{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: ${DRIVER}}}`;
  const other = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
  new Cnf("csi", { ...args, plan: planned(driver, { instance: "csi" }).plan });
  new Cnf("web", { ...args, plan: planned(other, { instance: "web" }).plan });
  await settle();
  const made = recorded.filter(({ name }) => name.endsWith("-cleanup"));
  expect(made.map(({ name }) => name)).toEqual(["csi-cleanup"]);
  expect(made[0]?.inputs["delete"]).toMatch(/^exec node '?components.*cleanup\.cjs'? delete$/);
  const { value } = made[0]?.inputs["stdin"] as { value: string };
  expect(JSON.parse(value)).toMatchObject({ seconds: 120, balances: false, drivers: [DRIVER] });
});
