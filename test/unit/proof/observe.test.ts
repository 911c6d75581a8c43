/** What the things of a cloud and of a cluster are called in a preview, and what of them is compared. */
import type { OpenStack } from "../../support/openstack";
import { observe, subjectOf } from "../../proof/observe";
import { observeCluster } from "../../proof/observe-cluster";
import { modelOf, type Model } from "../../proof/model";

const NAMES = { one: ["app"], "one-b": ["masterNode", "app-1"] };

it.each([
  ["server", "one-app-1", { vnf: "one", vnfc: "app-1", kind: "server", key: "" }],
  // Nova's name is in small letters
  ["server", "one-b-masternode-2", { vnf: "one-b", vnfc: "masterNode-2", kind: "server", key: "" }],
  ["port", "one-app-12-app_CP-0a1b2c3", { vnf: "one", vnfc: "app-12", kind: "port", key: "app_CP" }],
  ["port", "one-b-app-1-2-cp-0a1b2c3", { vnf: "one-b", vnfc: "app-1-2", kind: "port", key: "cp" }],
  ["network", "one-left-0a1b2c3", { vnf: "one", kind: "network", key: "left" }],
  ["applicationCredential", "one-0a1b2c3", { vnf: "one", kind: "applicationCredential", key: "" }],
  ["port", "one-app-1-app_CP", { kind: "port", key: "one-app-1-app_CP" }],
  ["securityGroup", "default", { kind: "securityGroup", key: "default" }],
  ["network", "other-0a1b2c3", { kind: "network", key: "other-0a1b2c3" }],
] as const)("a %s of the name %s is known by its instance and VNFC", (kind, name, subject) => {
  expect(subjectOf(kind, name, NAMES)).toEqual(subject);
});

const port = (id: string, others: object) => ({
  ...{ id, name: "", network_id: "n1", device_id: "", device_owner: "", admin_state_up: true, tags: [] },
  ...{ port_security_enabled: true, qos_policy_id: null, security_groups: [], allowed_address_pairs: [] },
  fixed_ips: [{ subnet_id: "u1", ip_address: "10.0.0.9" }],
  ...others,
});
const volume = (id: string, name: string, server?: string) => ({
  ...{ id, name, size: 1, volume_type: "file", availability_zone: "nova" },
  attachments: server === undefined ? [] : [{ server_id: server }],
});

/** Answers of the services, by path. */
const LISTS: Readonly<Record<string, object>> = {
  "/servers/detail": {
    servers: [
      {
        ...{ id: "s1", name: "one-app-1", status: "ACTIVE", flavor: { id: "f" }, image: "" },
        ...{ metadata: { role: "a" }, config_drive: "" },
      },
    ],
  },
  "/os-server-groups": { server_groups: [{ id: "g1", name: "one-apart-0000001", policies: ["affinity"] }] },
  "/volumes/detail": { volumes: [volume("v1", "one-app-1-data-0000001", "s1"), volume("v2", "", "s1")] },
  "/users/u/application_credentials": {
    application_credentials: [{ id: "c1", name: "one-0000001", roles: [{ name: "member" }] }],
  },
  ports: {
    ports: [
      port("p1", { name: "one-app-1-app_CP-0000001", device_id: "s1", device_owner: "compute:nova" }),
      port("p2", { device_id: "dhcp1", device_owner: "network:dhcp" }),
      port("p3", { device_id: "r1", device_owner: "network:router_interface" }),
    ],
  },
  networks: { networks: [{ id: "n1", name: "one-left-0000001", mtu: 1450, admin_state_up: true }] },
  subnets: {
    subnets: [
      {
        ...{ id: "u1", name: "one-left-2-0000001", network_id: "n1", cidr: "10.0.0.0/24", gateway_ip: null },
        ...{ enable_dhcp: true, dns_nameservers: [], allocation_pools: [] },
      },
    ],
  },
  routers: {
    routers: [{ id: "r1", name: "one-left-0000001", external_gateway_info: { network_id: "x" }, routes: [] }],
  },
  floatingips: {
    floatingips: [
      { id: "f1", port_id: "p1", floating_network_id: "x", floating_ip_address: "198.19.0.9" },
      { id: "f2", port_id: null, floating_network_id: "x", floating_ip_address: "198.19.0.8" },
    ],
  },
  "security-groups": {
    security_groups: [{ id: "d", name: "default", description: "", security_group_rules: [] }],
  },
};
const CLOUD = {
  userId: "u",
  ofProject: (collection: string) => collection,
  get: (_: string, path: string) => Promise.resolve(LISTS[path]),
} as unknown as OpenStack;

/** The identities of a model's things, by their texts. */
const identities = (model: Model) =>
  Object.fromEntries([...model].map(([text, { identity }]) => [text, identity]));

it("the proof knows all things of a project by their subjects", async () => {
  expect(identities(await observe(CLOUD, NAMES))).toEqual({
    "one app-1 server": "s1",
    "one serverGroup apart": "g1",
    "one app-1 volume data": "v1",
    "one app-1 volumeAttachment data-attachment": "s1 v1",
    "- volume of one app-1 server": "v2",
    "one applicationCredential": "c1",
    "one app-1 port app_CP": "p1",
    "- port network:dhcp dhcp1 on one network left": "p2",
    "one routerInterface left-router-2": "p3",
    "one network left": "n1",
    "one subnet left-2": "u1",
    "one router left": "r1",
    "one app-1 floatingIp app_CP-floating": "f1",
    "- floatingIp of no port": "f2",
    "- securityGroup default": "d",
  });
});

it("the proof takes what Neutron and Nova make by themselves for what comes with another thing", async () => {
  const model = await observe(CLOUD, NAMES);
  const derived = [...model.values()].flatMap(({ identity, derivedFrom }) =>
    derivedFrom === undefined ? [] : [[identity, derivedFrom]],
  );
  expect(derived.sort()).toEqual([
    ["p2", "one network left"],
    ["v2", "one app-1 server"],
  ]);
});

it("the proof compares a port by the VNFC that has it, whatever server that is", async () => {
  const model = await observe(CLOUD, NAMES);
  expect(model.get("one app-1 port app_CP")?.fields).toMatchObject({
    network: "n1",
    server: "one app-1 server",
  });
});

it("the proof knows the objects of a cluster as its API does, without what controllers write, and its members of etcd", async () => {
  const metadata = (name: string, others: object = {}) => ({
    name,
    namespace: "web",
    uid: `uid-${name}`,
    ...others,
  });
  const objects = [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: metadata("web"),
      spec: { replicas: 1 },
      status: { a: 1 },
    },
    {
      ...{ apiVersion: "apps/v1", kind: "ReplicaSet", spec: {} },
      metadata: metadata("web-1", {
        ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }],
      }),
    },
    { apiVersion: "v1", kind: "Secret", metadata: metadata("key"), data: { key: "c2VjcmV0" } },
    { apiVersion: "v1", kind: "Secret", type: "bootstrap.kubernetes.io/token", metadata: metadata("token") },
    { apiVersion: "v1", kind: "ConfigMap", metadata: metadata("kube-root-ca.crt"), data: {} },
    {
      ...{ apiVersion: "v1", kind: "Node", metadata: { name: "node-1", uid: "uid-node-1" } },
      spec: {
        podCIDR: "10.1.0.0/24",
        taints: [{ key: "node.kubernetes.io/not-ready" }, { key: "example.com/gpu" }],
      },
    },
    {
      ...{ apiVersion: "v1", kind: "Node", metadata: { name: "node-2", uid: "uid-node-2" } },
      spec: { unschedulable: true, taints: [{ key: "node.kubernetes.io/unschedulable" }] },
    },
  ];
  let asked = "";
  const model = modelOf(
    await observeCluster(
      {
        kubectl: ([verb]) => {
          if (verb === "api-resources")
            return Promise.resolve("deployments.apps\nevents\nleases.coordination.k8s.io\n");
          return Promise.resolve(
            verb === "get" ? "pod/etcd-a\n" : "1a, started, node-1, https://a:2380, https://a:2379\n",
          );
        },
        list: <T>(kind: string) => {
          asked = kind;
          return Promise.resolve(objects as readonly unknown[] as readonly T[]);
        },
      },
      "vnf-a",
    ),
  );
  expect(asked).toBe("deployments.apps");
  expect(identities(model)).toEqual({
    "object Deployment.apps web/web": "uid-web",
    "object ReplicaSet.apps web/web-1": "uid-web-1",
    "object Secret web/key": "uid-key",
    "object ConfigMap web/kube-root-ca.crt": "uid-kube-root-ca.crt",
    "object Node node-1": "uid-node-1",
    "object Node node-2": "uid-node-2",
    "vnf-a resource etcd member node-1": "1a",
  });
  expect(model.get("object Node node-1")?.fields["spec"]).toEqual({
    podCIDR: "10.1.0.0/24",
    taints: [{ key: "example.com/gpu" }],
  });
  expect(model.get("object Node node-2")?.fields["spec"]).toEqual({ unschedulable: true });
  expect(model.get("object Deployment.apps web/web")?.fields).toEqual({
    metadata: { labels: {}, annotations: {} },
    spec: { replicas: 1 },
  });
  expect(model.get("object ReplicaSet.apps web/web-1")?.derivedFrom).toBe("object Deployment.apps web/web");
  expect(model.get("object ConfigMap web/kube-root-ca.crt")?.derivedFrom).toBe("object Namespace web");
  expect(JSON.stringify([...model])).not.toContain("c2VjcmV0");
});
