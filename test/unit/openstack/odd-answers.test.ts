/** Readers of a cloud whose APIs answer with other types than those of OpenStack. */
import { planOf } from "../../support/planned";
import fc from "fast-check";
import { readCloudOffer } from "../../../automation/init/offer";
import { lookupOf, progress } from "../../../automation/recovery/lookups";
import { Fault } from "../../../components/base/fault";
import { Findings } from "../../../components/base/findings";
import { typed, type CloudAnswer } from "../../../components/openstack/answers";
import { listed } from "../../../components/openstack/listing";
import type { Flavor } from "../../../components/openstack/session";
import type { Cloud } from "../../../components/preflight/cloud";
import { needProblems } from "../../../components/preflight/needs";
import { extraSpecsOf, lackOf } from "../../../components/preflight/flavors";
import { shortageIn } from "../../../components/preflight/quota";
import { serversInError, whyNotMade } from "../../../components/preflight/server-errors";
import { existingServers } from "../../../components/preflight/project-servers";
import { imagesOf } from "../../../components/preflight/resources";
import { serverProblems } from "../../../components/preflight/server-needs";
import { fuzzAsync } from "../../support/fuzz-async";
import { flavour, vdu, vnfPackage } from "../fixtures";
import { stubCloud } from "./stub-cloud";

const ID = "0b2a6a6e-6d0e-4d3b-9f7b-0c1f3f2f9d11";

const plans = planOf(
  { "vnf-a": { package: "p" } },
  {
    loadPackage: () =>
      vnfPackage("p", { simple: flavour({ vdus: { a: vdu("a", { initialInstances: 2 }) } }) }),
  },
);

/** Each key of an answer that is read. */
const KEYS = [
  ...["servers", "ports", "networks", "subnets", "images", "flavors", "security_groups", "loadbalancers"],
  ...["routers", "keypairs", "volume_types", "availabilityZoneInfo", "server_groups", "volumes", "members"],
  ...["server", "volume", "extra_specs", "limits", "quota", "next", "images_links", "servers_links"],
];

/** Each field of a thing that is read. */
const FIELDS = [
  ...["id", "name", "status", "metadata", "keypair", "zoneName", "fault", "cidr", "gateway_ip", "fixed_ips"],
  ...[
    "device_owner",
    "network_id",
    "ip_version",
    "kube_version",
    "created_at",
    "size",
    "virtual_size",
    "ram",
  ],
  ...["min_ram", "vcpus", "disk", "absolute", "network", "port", "loadbalancer", "message", "code", "rel"],
  ...["href", "OS-EXT-STS:task_state", "port_id", "subnet_id", "limit", "used", "maxTotalCores"],
];

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, 1e15, "", "vnf-a-a-1", "next", "/x?y", ID, true, [], [null], {}),
  fc.constant({ toString: 1 }),
);
const thing = fc.dictionary(
  fc.constantFrom(...FIELDS),
  fc.oneof(odd, fc.array(odd, { maxLength: 2 }), fc.dictionary(fc.constantFrom(...FIELDS), odd)),
);
const answer = fc.dictionary(
  fc.constantFrom(...KEYS, ...FIELDS),
  fc.oneof(odd, thing, fc.array(fc.oneof(odd, thing), { maxLength: 3 })),
);

const NEED = { kind: "network", name: "n", setting: ["network"], isAnySubnet: true } as const;

const READERS: readonly ((cloud: Cloud) => Promise<unknown>)[] = [
  readCloudOffer,
  (cloud) => serverProblems(plans, cloud),
  (cloud) => imagesOf(ID, cloud),
  (cloud) =>
    shortageIn(
      () => Promise.resolve(cloud),
      plans,
      () => false,
    ),
  (cloud) => serversInError(plans, cloud),
  (cloud) =>
    whyNotMade(`instance (${ID}) to become ready: unexpected state 'ERROR'`, () =>
      Promise.resolve([() => Promise.resolve(cloud)]),
    ),
  (cloud) => existingServers(plans, cloud),
  async (cloud) => {
    const wanted = [{ name: "hw:mem_page_size", value: "large", property: "p" }];
    return lackOf(wanted, await extraSpecsOf({ id: "f" } as Flavor, cloud));
  },
  async (cloud) => {
    for (const kind of ["network", "key pair", "availability zone"] as const)
      await needProblems({ ...NEED, kind }, new Findings().instance("vnf-a"), cloud);
  },
  async (cloud) => {
    for (const type of ["compute/instance:Instance", "networking/routerInterface:RouterInterface"]) {
      const lookup = lookupOf(`openstack:${type}`);
      for (const item of await listed<object>(cloud, "compute", "/x", lookup?.key ?? "")) {
        lookup?.matches(item as Record<string, unknown>, { name: "x", subnetId: "s" });
        progress(item as Record<string, unknown>);
      }
    }
  },
];

it("has each reader end with what it tells, or a fault", async () => {
  const property = fc.asyncProperty(answer, async (body) => {
    // a cloud that answers each question with the same
    const cloud = stubCloud(() => typed(JSON.parse(JSON.stringify(body)) as CloudAnswer));
    for (const read of READERS)
      await read(cloud).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
      });
  });
  await fuzzAsync(property, 100);
});

it("leaves out what has another type than OpenStack has, and nothing else", () => {
  const server = { id: "s", name: "web", status: "ACTIVE", metadata: { a: "b" }, tags: [null] };
  expect(
    typed({
      servers: [
        null,
        5,
        "x",
        { ...server, name: null, metadata: { a: "b", c: null, d: {} }, fault: "no" },
        server,
      ],
      ports: null,
      limits: { absolute: { maxTotalCores: 4, maxTotalInstances: "4" } },
      extra_specs: { "hw:cpu_policy": "dedicated", "hw:numa_nodes": 1 },
      next: 5,
    }),
  ).toEqual({
    servers: [{ id: "s", status: "ACTIVE", metadata: { a: "b" }, tags: [null] }, server],
    limits: { absolute: { maxTotalCores: 4 } },
    extra_specs: { "hw:cpu_policy": "dedicated" },
  });
});
