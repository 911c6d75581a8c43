/** What a cloud is asked for before anything is made, and what of its answers counts. */
import { planOf } from "../../support/planned";
import { shortageIn } from "../../../components/preflight/quota";
import { Fault } from "../../../components/base/fault";
import type { InstancePlan } from "../../../components/plan/model";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf, haClusterVnf, storageVnf } from "../../support/configs";
import { stubCloud } from "./stub-cloud";

const PORTS = "/v2.0/ports?project_id=p&fields=name";
const GROUPS = "/v2.0/security-groups?project_id=p&fields=name";
const SERVERS = "/servers/detail?name=%5Evnf-a";
const NEUTRON = "/v2.0/quotas/p/details";
const BALANCERS = "/v2/lbaas/loadbalancers?project_id=p&fields=id";

const limit = (limit: number, used: number, reserved = 0) => ({ limit, used, reserved });

/** Of a cloud with room for one server more, whose project is empty. */
const ANSWERS: Readonly<Record<string, object>> = {
  [PORTS]: { ports: [] },
  [GROUPS]: { security_groups: [{ name: "default" }] },
  [SERVERS]: { servers: [] },
  "/flavors/detail": {
    flavors: [
      { id: "1", name: "m1.small", vcpus: 1, ram: 2048 },
      { id: "2", name: "m1.medium", vcpus: 2, ram: 4096 },
    ],
  },
  "compute /limits": {
    limits: {
      absolute: {
        ...{ maxTotalInstances: 10, totalInstancesUsed: 9, maxTotalCores: 20, totalCoresUsed: 19 },
        ...{ maxTotalRAMSize: -1, totalRAMUsed: 4096, maxServerGroups: 10, totalServerGroupsUsed: 10 },
      },
    },
  },
  "block-storage /limits": {
    limits: {
      absolute: {
        ...{ maxTotalVolumes: 10, totalVolumesUsed: 9, maxTotalVolumeGigabytes: 1000 },
        totalGigabytesUsed: 995,
      },
    },
  },
  [NEUTRON]: { quota: { port: limit(100, 98, 1), security_group: limit(10, 1), floatingip: limit(0, 0) } },
  "/v2/lbaas/quotas/p": { quota: { loadbalancer: 1 } },
  [BALANCERS]: { loadbalancers: [{ id: "a" }] },
};

/** @returns a cloud that answers so, and the paths that it is asked for. What it does not know it refuses */
function cloudWith(answers: Readonly<Record<string, object | undefined>>) {
  const asked: string[] = [];
  const cloud = stubCloud((path, service) => {
    asked.push(path);
    const key = path === "/limits" ? `${service} ${path}` : path;
    if (!(key in answers)) throw new Fault(`GET ${path} answers 403: policy does not allow it`);
    return answers[key];
  });
  return { asked, cloud };
}

const planned = (vnf: object): InstancePlan[] => planOf({ "vnf-a": vnf });

const isThere = () => false;
const connectTo = (cloud: ReturnType<typeof cloudWith>["cloud"]) => () => Promise.resolve(cloud);
const rowsOf = async (answers: Readonly<Record<string, object | undefined>>, vnf = storageVnf()) =>
  (await shortageIn(connectTo(cloudWith(answers).cloud), planned(vnf), isThere))
    ?.split("\n")
    .slice(2, -1)
    .map((row) => row.trim().replace(/ +/g, " "));

test("all that does not suffice is told, by the limits of Nova, Cinder and Neutron", async () => {
  expect(await rowsOf(ANSWERS)).toEqual([
    ...["servers 3 9 10 vnf-a (3)", "cores 4 19 20 vnf-a (4)"],
    ...["ports 3 99 100 vnf-a (3)", "gigabytes 10 995 1000 vnf-a (10)"],
  ]);
});

test("all is asked for once, and Octavia and Cinder only by who wants something of them", async () => {
  const { asked, cloud } = cloudWith(ANSWERS);
  await shortageIn(connectTo(cloud), planned(haClusterVnf(3, 1)), isThere);
  expect(asked.sort()).toEqual([PORTS, GROUPS, SERVERS, "/flavors/detail", "/limits", NEUTRON].sort());
});

test("balancers are counted, as Octavia tells their limit alone", async () => {
  const vnf = haClusterVnf(3, 1, { flavour: "ha-octavia" });
  expect(await rowsOf(ANSWERS, vnf)).toContain("load balancers 1 1 1 vnf-a (1)");
});

test("existing resources are not counted again", async () => {
  const servers = ["masternode-1", "workernode-1", "storage-server-1"].map((name) => ({
    name: `vnf-a-${name}`,
    metadata: { "vnfm-owner": "site-1-5f0c2a9e/vnf-a" },
  }));
  expect(await rowsOf({ ...ANSWERS, [SERVERS]: { servers } })).toBeUndefined();
});

test("a machine of a cluster counts once, although the name of another one begins as its cluster's", async () => {
  const cluster = { ...templateCluster({ vim: "vnf-a" }), nodeGroups: { default: { replicas: 2 } } };
  const vnfs = { "vnf-a": clusterVnf(1), tenant: cluster, "tenant-b": cluster };
  const plans = planOf(vnfs, { readProjectFile: () => "" }, { kube: clusterTemplate() });
  const machines = (...names: string[]) => ({ servers: names.map((name) => ({ name })) });
  const ofB = ["tenant-b-x7k2p", "tenant-b-default-q8zvw-9hxkd"];
  const { cloud } = cloudWith({
    ...ANSWERS,
    "/servers/detail?name=%5Etenant": machines(...ofB),
    "/servers/detail?name=%5Etenant-b": machines(...ofB),
  });
  const table = await shortageIn(connectTo(cloud), plans, (instance) => instance !== "vnf-a");
  expect(table).toContain("vnf-a (2), tenant (3), tenant-b (1)");
});

test.each<[string, object | undefined, string]>([
  ["/flavors/detail", undefined, "cores 4 19 20 vnf-a (4)"],
  ["block-storage /limits", undefined, "gigabytes 10 995 1000 vnf-a (10)"],
  [NEUTRON, undefined, "ports 3 99 100 vnf-a (3)"],
  [NEUTRON, { quota: {} }, "ports 3 99 100 vnf-a (3)"],
])("quotas that a cloud does not report are left out, as %s with %j", async (path, answer, row) => {
  const all = await rowsOf(ANSWERS);
  expect(await rowsOf({ ...ANSWERS, [path]: answer })).toEqual(all?.filter((one) => one !== row));
});

test("an API that refuses is left out as one that is not there", async () => {
  const { [NEUTRON]: refused, ...others } = ANSWERS;
  expect(refused).toBeDefined();
  expect(await rowsOf(others)).not.toContain("ports 3 99 100 vnf-a (3)");
});

test("nothing is said where it is not known what is there", async () => {
  const { [PORTS]: refused, ...others } = ANSWERS;
  expect(refused).toBeDefined();
  await expect(rowsOf(others)).rejects.toThrow("answers 403");
});
