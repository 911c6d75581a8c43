/** What is waited for, deleted and told before a controller goes that has made something outside of its cluster. */
import { execFile } from "node:child_process";
import * as pulumi from "@pulumi/pulumi";
import { programArguments } from "../../../components/remote/program-command";
import { Cnf } from "../../../components/deploy/objects/cnf";
import { recordResources, settle } from "../../support/mocks";
import { kubeconfig } from "../fixtures";
import { planned } from "./support";
import { freePort } from "../../support/server";
import { standIn } from "../../support/stand-in";

const DRIVER = "cinder.csi.openstack.org";

let services: object[];
let volumes: object[];
let deleted: string[];
/** True if the driver deletes the first volume each time that it is asked for claims. */
let isDriven: boolean;

const api = standIn(({ method, url = "" }, response) => {
  if (method === "DELETE") {
    deleted.push(url);
    services = services.filter((service) => service !== shop);
  }
  const items =
    url === "/api/v1/services"
      ? services
      : url === "/api/v1/persistentvolumes"
        ? volumes
        : [{ metadata: { uid: "uid-there" } }];
  response.end(JSON.stringify({ items }));
  if (url === "/api/v1/persistentvolumeclaims" && isDriven) volumes = volumes.slice(1);
});

const shop = { metadata: { namespace: "other", name: "shop", uid: "1" }, spec: { type: "LoadBalancer" } };
const inside = { metadata: { namespace: "other", name: "db", uid: "2" }, spec: { type: "ClusterIP" } };

/** A volume of a claim. @param phase of the volume */
const volume = (
  name: string,
  claim: string,
  { driver = DRIVER, policy = "Delete", phase = "Released" } = {},
) => ({
  metadata: { name },
  spec: {
    csi: { driver, volumeHandle: `id-of-${name}` },
    capacity: { storage: "10Gi" },
    persistentVolumeReclaimPolicy: policy,
    claimRef: { namespace: "web", name: claim, uid: `uid-${claim}` },
  },
  status: { phase },
});

beforeEach(() => {
  services = [shop, inside];
  volumes = [];
  deleted = [];
  isDriven = false;
});

function run(data: object, server = api.url, env: object = {}) {
  const access = { cluster: { server }, user: { token: "t" } };
  return new Promise<{ failed: boolean; stdout: string; stderr: string }>((resolve) => {
    const script = [...programArguments("deploy/objects/scripts/cleanup"), "delete"];
    const child = execFile("node", script, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr }),
    );
    const controller = { balances: false, drivers: [], isLast: false };
    child.stdin?.end(JSON.stringify({ access, seconds: 20, ...controller, ...data }));
  });
}

const OF_DRIVER = { drivers: [DRIVER] };

describe("load balancers", () => {
  it("go with their Services, which is told", async () => {
    const { failed, stderr } = await run({ balances: true });
    expect([failed, deleted]).toEqual([false, ["/api/v1/namespaces/other/services/shop"]]);
    expect(stderr).toBe(
      "Service other/shop is deleted because of its load balancer, which nothing would delete later\n",
    );
  });

  it("are an error if they are not deleted in time, with the reason", async () => {
    const finalizers = ["service.kubernetes.io/load-balancer-cleanup"];
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const metadata = { namespace: "other", name: "stuck", deletionTimestamp, finalizers };
    services = [{ metadata, spec: { type: "LoadBalancer" } }];
    const { failed, stdout } = await run({ balances: true, seconds: 0 });
    expect([failed, deleted]).toEqual([true, []]);
    expect(stdout).toMatch(/^Service other\/stuck .* the cloud controller manager to delete/);
  });
});

describe("volumes", () => {
  it("are awaited if their claims are deleted, even with the phase Bound", async () => {
    volumes = [volume("pv1", "gone"), volume("pv2", "also-gone", { phase: "Bound" })];
    isDriven = true;
    expect((await run(OF_DRIVER)).failed).toBe(false);
    expect(volumes).toEqual([]);
  });

  it("are not awaited if their claims exist, if another driver made them, or if they are kept", async () => {
    volumes = [
      volume("pv1", "there", { phase: "Bound" }),
      volume("pv2", "gone", { driver: "nfs.csi.k8s.io" }),
      volume("pv3", "gone", { policy: "Retain" }),
    ];
    expect(await run({ ...OF_DRIVER, seconds: 0 })).toEqual({ failed: false, stdout: "", stderr: "" });
  });

  it("are an error if the driver does not delete them in time", async () => {
    volumes = [volume("pv1", "gone")];
    expect((await run({ ...OF_DRIVER, seconds: 0 })).stdout).toContain(
      "PersistentVolume pv1 of the PVC web/gone still exists: Released",
    );
  });

  it("are listed if they stay without the cluster", async () => {
    volumes = [
      volume("pv1", "there", { phase: "Bound" }),
      volume("pv2", "gone", { driver: "nfs.csi.k8s.io" }),
    ];
    const { failed, stderr } = await run({ ...OF_DRIVER, isLast: true });
    expect([failed, stderr]).toEqual([
      false,
      "volume id-of-pv1 (10Gi) of the PVC web/there stays in the cloud\n",
    ]);
  });
});

it("the cleanup waits for no cluster of which the operator says that it is gone", async () => {
  const gone = `http://127.0.0.1:${await freePort()}`;
  expect((await run({ ...OF_DRIVER, seconds: 0 }, gone)).stdout).toContain("cannot be reached");
  expect((await run(OF_DRIVER, gone, { PULUMI_K8S_DELETE_UNREACHABLE: "true" })).failed).toBe(false);
});

it("the cleanup is there where a CNF brings a CSI driver, or load balancers to a cluster of the stack", async () => {
  const recorded = recordResources();
  const lifetime = new pulumi.ComponentResource("test:Cluster", "cluster");
  const driver = `{apiVersion: storage.k8s.io/v1, kind: CSIDriver, metadata: {name: ${DRIVER}}}`;
  const configMap = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
  const pod = `{apiVersion: v1, kind: Pod, metadata: {name: ccm}, spec: {containers: [{name: ccm,
    image: registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.34.0}]}}`;
  const add = (name: string, yaml: string, ends: object = {}) =>
    new Cnf(name, {
      ...{ plan: planned(yaml, { instance: name }).plan, readyTimeout: "2m", ...ends },
      identity: pulumi.output("site-1-5f0c2a9e"),
      kubeconfig: pulumi.secret(kubeconfig("c")),
    });
  add("csi", driver);
  add("elsewhere", pod);
  add("ccm", pod, { lifetime });
  add("web", configMap, { lifetime });
  await settle();
  const made = recorded.filter(({ name }) => name.endsWith("-cleanup"));
  expect(made.map(({ name }) => name).sort()).toEqual(["ccm-cleanup", "csi-cleanup"]);
  const data = made.map(({ inputs }) => JSON.parse((inputs["stdin"] as { value: string }).value) as object);
  expect(data).toMatchObject([
    { seconds: 120, balances: false, drivers: [DRIVER], isLast: false },
    { seconds: 120, balances: true, drivers: [], isLast: true },
  ]);
  expect(made[0]?.inputs["delete"]).toBe(
    `exec node -e 'require("vnfm/run")' deploy/objects/scripts/cleanup delete`,
  );
});
