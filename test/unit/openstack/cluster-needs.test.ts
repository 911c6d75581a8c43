import { needProblems } from "../../../components/preflight/needs";
import { sharedBy, type Cloud } from "../../../components/preflight/cloud";
import type { CloudNeed } from "../../../components/plan/cloud-need";
import { plannedCluster } from "../plan/planned-cluster";
import { textOf } from "../../../components/base/findings";
import { placeOf } from "../places";
import { stubCloud } from "./stub-cloud";

const TENANT = placeOf("vnfm:vnfs", "tenant");
const ID = "1e2f3a4b-0000-4000-8000-000000000001";

/** A cloud that answers with what is given by path. @returns it, and the paths that were asked for */
function cloudWith(answers: Readonly<Record<string, object>>) {
  const asked: string[] = [];
  const cloud = stubCloud((path) => {
    asked.push(path);
    return answers[path];
  });
  return { asked, cloud };
}

const need = (kind: CloudNeed["kind"], name: string, kubernetesVersion?: string): CloudNeed => ({
  ...{ kind, name, setting: ["setting"] },
  ...(kubernetesVersion !== undefined && { kubernetesVersion }),
});

const problemsOf = async (needs: readonly CloudNeed[], cloud: Cloud) =>
  (await Promise.all(needs.map((need) => needProblems(need, TENANT, cloud)))).flat();

const texts = async (needs: readonly CloudNeed[], answers: Readonly<Record<string, object>>) =>
  (await problemsOf(needs, cloudWith(answers).cloud)).map(({ finding }) => textOf(finding));

test("a cluster needs resources of the cloud, each by its setting", () => {
  const { plan } = plannedCluster({
    sshKeyName: "operator",
    controlPlane: { etcdVolume: { sizeGiB: 4, type: "ssd" }, availabilityZones: ["az1", "az2"] },
    nodeGroups: {
      batch: {
        ...{ replicas: 1, image: "other", kubernetesVersion: "v1.32.0", availabilityZone: "az2" },
        rootVolume: { sizeGiB: 20, availabilityZone: "disks" },
        additionalPorts: [{ network: "storage", subnet: "storage-4" }],
      },
    },
  });
  expect(
    plan.cloudNeeds.map(({ kind, name, setting, kubernetesVersion = "" }) =>
      [kind, name, TENANT.get(...setting).textFrom(TENANT), kubernetesVersion].join(" ").trim(),
    ),
  ).toEqual([
    "image debian-12-kube-v1.33.0 image v1.33.0",
    "key pair operator sshKeyName",
    "flavor m1.medium controlPlane.flavor",
    "availability zone az1 controlPlane.availabilityZones[0]",
    "availability zone az2 controlPlane.availabilityZones[1]",
    "volume type ssd controlPlane.etcdVolume.type",
    "image other nodeGroups.batch.image v1.32.0",
    "flavor m1.small nodeGroups.batch.flavor",
    "availability zone of volumes disks nodeGroups.batch.rootVolume.availabilityZone",
    "network storage nodeGroups.batch.additionalPorts[0].network",
    "subnet storage-4 nodeGroups.batch.additionalPorts[0].subnet",
    "availability zone az2 nodeGroups.batch.availabilityZone",
    "network public network.externalNetwork",
  ]);
});

test("an existing resource, by name or id, is no problem, and each list is requested once", async () => {
  const { asked, cloud } = cloudWith({
    "/flavors/detail": { flavors: [{ id: ID, name: "m1.small" }] },
    "/os-keypairs": { keypairs: [{ keypair: { name: "operator" } }] },
    "/v2/images?name=kube": { images: [{ id: "i", name: "kube", kube_version: "v1.33.0" }] },
    [`/v2/images?name=${ID}`]: { images: [] },
    [`/v2/images/${ID}`]: { id: ID, name: "by its id" },
  });
  const needs = [
    ...[need("flavor", "m1.small"), need("flavor", ID), need("key pair", "operator")],
    ...[need("image", "kube", "v1.33.0"), need("image", ID, "v1.33.0")],
  ];
  expect(await problemsOf(needs, await sharedBy(() => Promise.resolve(cloud))())).toEqual([]);
  expect(asked.sort()).toEqual([
    ...[
      "/flavors/detail",
      "/os-keypairs",
      `/v2/images/${ID}`,
      `/v2/images?name=${ID}`,
      "/v2/images?name=kube",
    ],
  ]);
});

test("a network of which no subnet is named has one of each family at most", async () => {
  const subnet = (name: string, ip_version: number, network_id = "n") => ({
    id: `id of ${name}`,
    name,
    ip_version,
    network_id,
  });
  const { cloudNeeds } = plannedCluster({}, { network: { network: "site", externalNetwork: "public" } }).plan;
  const [site] = cloudNeeds.filter(({ name }) => name === "site");
  const told = (subnets: readonly object[], need = site) =>
    texts(need ? [need] : [], {
      "/v2.0/networks": { networks: [{ id: "n", name: "site" }] },
      "/v2.0/subnets": { subnets },
    });
  expect(await told([subnet("four", 4), subnet("six", 6), subnet("of another", 4, "m")])).toEqual([]);
  const both = [subnet("four", 4), subnet("", 4)];
  expect(await told(both)).toEqual([
    'vnfm:vnfs.tenant.network.network: "site" has 2 subnets of one IP version: four, id of ; set that of the machines under subnet',
  ]);
  expect(await told(both, need("network", "site"))).toEqual([]);
});

test("a network that is made for a cluster has a name, by which it is looked for", () => {
  expect(plannedCluster().plan.madeNetwork).toBe("k8s-clusterapi-cluster-tenant-tenant");
  const onOther = plannedCluster({}, { network: { network: "site", externalNetwork: "public" } });
  expect(onOther.plan.madeNetwork).toBeUndefined();
});

test("a missing resource is reported, with the nearest name", async () => {
  const needs = [
    ...[need("flavor", "m1.smal"), need("image", "kube"), need("router", "site")],
    ...[need("availability zone", "az1"), need("availability zone", "az3")],
  ];
  const answers = {
    "/flavors/detail": { flavors: [{ id: "1", name: "m1.small" }] },
    "/os-availability-zone": { availabilityZoneInfo: [{ zoneName: "az1" }, { zoneName: "az2" }] },
  };
  expect(await texts(needs, answers)).toEqual([
    'vnfm:vnfs.tenant.setting: the cloud has no flavor "m1.smal"; did you mean "m1.small"?',
    'vnfm:vnfs.tenant.setting: the cloud has no image "kube"',
    'vnfm:vnfs.tenant.setting: the cloud has no router "site"',
    'vnfm:vnfs.tenant.setting: the cloud has no availability zone "az3"',
  ]);
});

test("an image that no machine can be made of is told with the setting that is too small for it", async () => {
  const { cloudNeeds } = plannedCluster({
    nodeGroups: {
      batch: { replicas: 1, rootVolume: { sizeGiB: 8 } },
      other: { replicas: 1, image: "raw", flavor: "m1.tiny" },
    },
    network: { bastion: { flavor: "m1.tiny", image: "old" } },
  }).plan;
  const of = { min_disk: 0, min_ram: 0, size: 2 ** 30, virtual_size: null };
  const answers = {
    "/v2/images?name=debian-12-kube-v1.33.0": {
      images: [
        { ...of, id: "i", name: "debian-12-kube-v1.33.0", status: "active", min_disk: 10, min_ram: 1024 },
      ],
    },
    "/v2/images?name=raw": {
      images: [{ ...of, id: "r", name: "raw", status: "active", virtual_size: 3 * 2 ** 30 }],
    },
    "/v2/images?name=old": { images: [{ ...of, id: "o", name: "old", status: "deactivated" }] },
    "/flavors/detail": {
      flavors: [
        { id: "1", name: "m1.tiny", vcpus: 1, ram: 512, disk: 1 },
        { id: "2", name: "m1.small", vcpus: 1, ram: 2048, disk: 20 },
        { id: "3", name: "m1.medium", vcpus: 2, ram: 4096, disk: 5 },
      ],
    },
  };
  expect(
    await texts(
      cloudNeeds.filter(({ kind }) => kind === "image"),
      answers,
    ),
  ).toEqual([
    'vnfm:vnfs.tenant.controlPlane.flavor: the flavor "m1.medium" has 5 GiB of disk, and the image "debian-12-kube-v1.33.0" needs 10 GiB',
    'vnfm:vnfs.tenant.nodeGroups.batch.rootVolume.sizeGiB: the root volume has 8 GiB of disk, and the image "debian-12-kube-v1.33.0" needs 10 GiB',
    'vnfm:vnfs.tenant.nodeGroups.other.flavor: the flavor "m1.tiny" has 1 GiB of disk, and the image "raw" needs 3 GiB',
    'vnfm:vnfs.tenant.network.bastion.image: the image "old" is deactivated, and a server can be created only from an active one: activate it (openstack image set --activate o) or use another',
  ]);
});

test("several of one name, and an image of another version, are told whether or not the cluster is there", async () => {
  const answers = {
    "/v2.0/networks": {
      networks: [
        { id: "a", name: "site" },
        { id: "b", name: "site" },
      ],
    },
    "/v2/images?name=kube": { images: [{ id: "i", name: "kube", kube_version: "1.32.4" }] },
  };
  const problems = await problemsOf(
    [need("network", "site"), need("image", "kube", "v1.33.0")],
    cloudWith(answers).cloud,
  );
  expect(problems).toEqual([
    {
      finding: TENANT.get("setting").finding('"site" matches 2 in the cloud: a, b; set the id of one'),
      isLack: false,
    },
    {
      finding: TENANT.get("setting").finding(
        'the image "kube" has Kubernetes 1.32.4 by its property kube_version, but v1.33.0 is required',
      ),
      isLack: false,
    },
  ]);
});
