/**
 * Upgrade of a cluster with a single control plane to the next minor version of Kubernetes, by one command: etcd keeps
 * its data. The steps build on each other.
 */
import { connect } from "node:tls";
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { TestStack } from "../../support/stack";
import {
  controlPlaneImages,
  FROM,
  IMAGE_OF_FROM,
  IMAGES_OF_TO,
  kubelets,
  TO,
  WITH_IMAGES,
  withImages,
} from "../../support/versions";

jest.setTimeout(20 * 60 * 1000);

const NODES = ["vnf-a-masternode-1", "vnf-a-workernode-1"];

let stack: TestStack;
let cluster: Cluster;
/** Certificate of the API server before the upgrade. */
let certificate: { readonly fingerprint256: string };

beforeAll(async () => {
  stack = await TestStack.create("sole-master-upgrade", {
    "vnf-a": clusterVnf(1, { kubernetes_version: FROM }),
  });
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  certificate = await servingCertificate();
  await mustRun("lab/lab.sh", ["image", TO]);
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

/** Returns the certificate of the API server, by a new connection. */
async function servingCertificate(): Promise<{ readonly fingerprint256: string }> {
  const its = await stack.vnf("vnf-a");
  const { hostname, port } = new URL(its.apiUrl);
  return new Promise((done, failed) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      done(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.on("error", failed);
  });
}

const upgrade = (...args: string[]) => stack.vnfm("upgrade", "vnf-a", "--to", TO, ...args, "--yes");

it("the upgrade keeps the control plane with the worker where the image is not of the version", async () => {
  await cluster.kubectl(["create", "configmap", "kept", "-n", "default", "--from-literal=by=etcd"]);
  const { status, stdout, stderr } = await upgrade(...withImages(IMAGE_OF_FROM));
  expect(status).toBe(1);
  expect(stdout + stderr).toContain(`the image has kubeadm ${FROM}, and kubernetes_version is ${TO}`);
  expect(stdout + stderr).toContain("The copy stays");
});

it("the upgrade goes on with the right image: the same cluster, of the new version", async () => {
  const before = await stack.kubeconfig("vnf-a");
  const { status, stdout, stderr } = await upgrade(...WITH_IMAGES);
  expect([status, status === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
  expect(await stack.kubeconfig("vnf-a")).toBe(before);
  expect((await servingCertificate()).fingerprint256).not.toBe(certificate.fingerprint256);
  expect(
    await cluster.kubectl(["get", "configmap", "kept", "-n", "default", "-o", "jsonpath={.data.by}"]),
  ).toBe("etcd");
  expect(await cluster.readyNodes()).toEqual(NODES);
  expect(await kubelets(cluster)).toEqual(Object.fromEntries(NODES.map((name) => [name, TO])));
  expect(await controlPlaneImages(cluster)).toEqual(IMAGES_OF_TO);
});

it("the upgrade leaves nothing to do", async () => {
  expect((await stack.check()).found).toEqual([]);
  expect(await stack.changes()).toEqual([]);
  const { status, stdout, stderr } = await upgrade(...WITH_IMAGES);
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("nothing changes")]);
});
