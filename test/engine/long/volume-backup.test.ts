/**
 * Backup of a CNF with its volume by Velero, which the same stack installs: its namespace is deleted with the data, and
 * comes back from the bucket. The steps build on each other.
 */
import { stringify } from "yaml";
import { pageOnVolume } from "../../support/balanced-page";
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { onServer } from "../../support/guest";
import { labChart, releaseCnf } from "../../support/management-cluster";
import { s3, S3_USER, SECRET, type S3Server } from "../../support/state-stores";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { objectsCnf } from "../../support/workload-cluster";

jest.setTimeout(20 * 60_000);

/** Folder on the worker, which is the volume. */
const FOLDER = "/srv/page";
const PAGE = "/usr/share/nginx/html/index.html";

/** A web server with its page on a local volume, of which the cluster has no copy. */
const OBJECTS = [
  {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "page" },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      storageClassName: "page",
      local: { path: FOLDER },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                { key: "kubernetes.io/hostname", operator: "In", values: ["vnf-a-workernode-1"] },
              ],
            },
          ],
        },
      },
    },
  },
  ...pageOnVolume("page", "page"),
];

let stack: TestStack;
let cluster: Cluster;
let bucket: S3Server;

/** Returns Velero as a CNF, as docs/backup.md has it. */
async function velero(): Promise<object> {
  const credentials = `[default]\naws_access_key_id=${S3_USER}\naws_secret_access_key=${SECRET}\n`;
  const values = {
    image: { tag: "v1.18.3" },
    upgradeCRDs: false,
    snapshotsEnabled: false,
    deployNodeAgent: true,
    configuration: {
      backupStorageLocation: [
        {
          ...{ name: "default", provider: "aws", bucket: "states" },
          config: { region: "us-east-1", s3ForcePathStyle: "true", s3Url: bucket.endpoint },
        },
      ],
    },
    initContainers: [
      {
        name: "velero-plugin-for-aws",
        image: "velero/velero-plugin-for-aws:v1.14.3",
        volumeMounts: [{ mountPath: "/target", name: "plugins" }],
      },
    ],
  };
  const secrets = { secret_values: { "credentials.secretContents.cloud": credentials } };
  return releaseCnf("velero", { ...(await labChart("velero")), ...secrets }, values);
}

beforeAll(async () => {
  await mustRun("lab/lab.sh", ["backup"]);
  bucket = await s3("198.19.0.1");
  stack = await TestStack.create("volume-backup", { "vnf-a": clusterVnf(1) });
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
  await bucket?.stop();
});

const read = () => cluster.kubectl(["exec", "--namespace=page", "deployment/page", "--", "cat", PAGE]);

const write = (text: string) =>
  cluster.kubectl(["exec", "--namespace=page", "deployment/page", "--", "sh", "-c", `echo ${text} >${PAGE}`]);

/** Creates an object of Velero, and waits until Velero has done what it asks for. */
async function completed(kind: string, name: string, spec: object): Promise<void> {
  const object = {
    ...{ apiVersion: "velero.io/v1", kind },
    ...{ metadata: { name, namespace: "velero" }, spec },
  };
  await cluster.kubectl(["apply", "-f", "-"], stringify(object));
  const resource = `${kind.toLowerCase()}.velero.io/${name}`;
  const phase = () =>
    cluster.kubectl(["get", resource, "--namespace=velero", "-o", "jsonpath={.status.phase}"]);
  await until(300, `the end of ${resource}`, async () => /Completed|Failed/.test(await phase()));
  expect([resource, await phase()]).toEqual([resource, "Completed"]);
}

it("the stack gets Velero with a bucket, and a CNF with a volume", async () => {
  await onServer(stack, "workerNode-1", `mkdir -p ${FOLDER}`);
  const page = objectsCnf(stack.folder, "page-package", "vnf-a", OBJECTS, { namespace: "page" });
  stack.configure({ "vnf-a": clusterVnf(1), velero: await velero(), page });
  await stack.mustUp();
  await write("written");
  expect(await read()).toBe("written\n");
  await until(120, "the bucket to be available", async () => {
    const location = ["get", "backupstoragelocation", "default", "--namespace=velero"];
    return (await cluster.kubectl([...location, "-o", "jsonpath={.status.phase}"])) === "Available";
  });
  expect(await stack.changes()).toEqual([]);
});

it("Velero backs the CNF up with its volume", async () => {
  await completed("Backup", "first", { includedNamespaces: ["page"], defaultVolumesToFsBackup: true });
  await write("after-the-backup");
});

it("the CNF comes back with what the backup has, and the stack has nothing to change", async () => {
  await cluster.kubectl(["delete", "namespace", "page", "--wait"]);
  // no storage class provisions another volume: this one is made free
  const free = '--patch=[{"op": "remove", "path": "/spec/claimRef"}]';
  await cluster.kubectl(["patch", "persistentvolume", "page", "--type=json", free]);
  await onServer(stack, "workerNode-1", `find ${FOLDER} -mindepth 1 -delete`);
  await completed("Restore", "first", { backupName: "first" });
  await cluster.kubectl(["rollout", "status", "--namespace=page", "deployment/page", "--timeout=180s"]);
  expect(await read()).toBe("written\n");
  expect(await stack.changes()).toEqual([]);
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
});

it("the stack reads the new objects by a refresh, and waits for them once", async () => {
  const { status, stdout, stderr } = await stack.pulumi("refresh", "--yes", "--stack", stack.name);
  expect([status, stdout + stderr]).toEqual([0, expect.any(String)]);
  expect(await stack.changes()).toEqual(["update page-deployment-page/page-ready"]);
  await stack.mustUp();
  expect(await stack.changes()).toEqual([]);
});

it("the deletion leaves nothing of both on the cluster but their namespaces", async () => {
  stack.configure({ "vnf-a": clusterVnf(1) });
  await stack.mustUp();
  for (const namespace of ["page", "velero"])
    expect(await cluster.kubectl(["get", "all,persistentvolumeclaims", "-n", namespace, "-o", "name"])).toBe(
      "",
    );
  expect(await cluster.kubectl(["get", "persistentvolumes", "-o", "name"])).toBe("");
});
