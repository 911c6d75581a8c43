/** Networks, groups, zones and the like that servers name and that the cloud does not have. */
import { Fault } from "../../../components/base/fault";
import { textOf } from "../../../components/base/findings";
import { checkServerNeeds, serverProblems } from "../../../components/preflight/server-needs";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { LATE_ID } from "../../../components/base/uuid";
import { connectionPoint, flavour, vdu, vnfPackage } from "../fixtures";
import { stubCloud } from "./stub-cloud";

const ID = "1e2f3a4b-0000-4000-8000-000000000001";
const GONE = "1e2f3a4b-0000-4000-8000-000000000009";
const names = (...all: string[]) => all.map((name) => ({ id: `id of ${name}`, name }));
const CLOUD: Readonly<Record<string, object>> = {
  "/v2.0/networks": {
    networks: [...names("public", "lan", "lan2", "twice", "twice"), { id: ID, name: "x" }],
  },
  "/v2.0/subnets": { subnets: [{ id: ID, name: "lan-4" }] },
  "/v2.0/routers": { routers: names("site-router") },
  "/v2.0/security-groups": { security_groups: names("web", "default") },
  "/v2.0/qos/policies": { policies: names("gold") },
  "/os-availability-zone": { availabilityZoneInfo: [{ zoneName: "nova" }] },
  "/types": { volume_types: names("ssd") },
};

/** Two servers, `a` with a volume, on a network that is there, beside one that is made. */
function planned(settings: object, type?: string) {
  const root = { id: "root", sizeGiB: 8, image: "debian-12", volumeType: type };
  const loadPackage = () =>
    vnfPackage("p", {
      simple: flavour({
        vdus: { a: vdu("a", { initialInstances: 2, image: undefined, volumes: ["root"] }) },
        connectionPoints: {
          cp: connectionPoint("cp", "a", { externalLink: "ext" }),
          inner: connectionPoint("inner", "a", { order: 1 }),
        },
        volumes: { root },
      }),
    });
  const parsed = parseSettings({ "vnf-a": { package: "p", ...settings } });
  return planStack(parsed.settings, { loadPackage, readProjectFile: () => undefined });
}

const INNER = { inner: { virtualLink: "inside" } };
const made = (router?: unknown) => ({
  inside: { subnets: [{ cidr: "10.9.0.0/24" }], ...(router !== undefined && { router }) },
});
const on = (ext: object, router?: unknown, others: object = {}, type?: string) =>
  planned({ extVirtualLinks: { ext, ...INNER }, virtualLinks: made(router), ...others }, type);

const cloudWith = (answers = CLOUD, servers: readonly string[] = []) =>
  stubCloud((path) => {
    if (path !== "/servers/detail?name=%5Evnf-a") return answers[path];
    return {
      servers: servers.map((name) => ({ name, metadata: { "vnfm-owner": "site-1-5f0c2a9e/vnf-a" } })),
    };
  });

const texts = async (plans: ReturnType<typeof on>, cloud = cloudWith()) =>
  (await serverProblems(plans, cloud)).map(({ finding }) => textOf(finding));

it("finds nothing wrong where all is there, by its name or its id", async () => {
  const ext = {
    network: "lan",
    subnet: ID,
    floatingNetwork: "public",
    securityGroups: ["web", "id of default"],
    qosPolicy: "gold",
  };
  const zones = { availabilityZones: ["nova:host-1"], volumeAvailabilityZones: ["nova"] };
  expect(await texts(on(ext, "site-router", { servers: { a: zones } }, "ssd"))).toEqual([]);
  expect(await texts(on({ network: ID }, { externalNetwork: "public" }))).toEqual([]);
});

it("tells of all that is mistyped at once, each with its setting and the nearest name", async () => {
  const ext = {
    network: "lann",
    subnet: "lan-4",
    floatingNetwork: "pubic",
    securityGroups: ["web", "wbe"],
    qosPolicy: "glod",
  };
  const zones = { availabilityZones: ["nova", "novaa:host"], volumeAvailabilityZones: ["nowa"] };
  expect(await texts(on(ext, "site-ruoter", { servers: { a: zones } }, "sdd"))).toEqual([
    'vnfm:vnfs.vnf-a.extVirtualLinks.ext.network: the cloud has no network "lann"; did you mean "lan"?',
    `vnfm:vnfs.vnf-a.extVirtualLinks.ext.subnet: "lan-4" is a name; set the id of the subnet: ${ID}`,
    'vnfm:vnfs.vnf-a.extVirtualLinks.ext.floatingNetwork: the cloud has no network "pubic"; did you mean "public"?',
    'vnfm:vnfs.vnf-a.extVirtualLinks.ext.securityGroups[1]: the cloud has no security group "wbe"',
    'vnfm:vnfs.vnf-a.extVirtualLinks.ext.qosPolicy: the cloud has no QoS policy "glod"',
    'vnfm:vnfs.vnf-a.virtualLinks.inside.router: the cloud has no router "site-ruoter"; did you mean "site-router"?',
    'vnfm:vnfs.vnf-a.servers.a.availabilityZones[1]: the cloud has no availability zone "novaa"; did you mean "nova"?',
    'vnfm:vnfs.vnf-a.servers.a.volumeAvailabilityZones[0]: the cloud has no availability zone of volumes "nowa"; did you mean "nova"?',
    'vnfm:vnfs.vnf-a: the cloud has no volume type "sdd"; did you mean "ssd"?',
  ]);
  expect(await texts(on({ network: "twice" }, { externalNetwork: "pubic" }))).toEqual([
    'vnfm:vnfs.vnf-a.extVirtualLinks.ext.network: "twice" matches 2 in the cloud: id of twice, id of twice; set the id of one',
    'vnfm:vnfs.vnf-a.virtualLinks.inside.router.externalNetwork: the cloud has no network "pubic"; did you mean "public"?',
  ]);
});

it("lets an id pass that only the run knows, and what no server is on", async () => {
  expect(await texts(on({ network: LATE_ID, subnet: LATE_ID }))).toEqual([]);
  const zones = { availabilityZones: ["nova", "nova2", "gone"] };
  expect(await texts(on({ network: "lan" }, undefined, { servers: { a: zones } }))).toEqual([
    'vnfm:vnfs.vnf-a.servers.a.availabilityZones[1]: the cloud has no availability zone "nova2"',
  ]);
});

it.each(["/v2.0/qos/policies", "/v2/images?name=debian-12"])(
  "checks all but what the user may not list: %s",
  async (list) => {
    const refusing = stubCloud((path) => {
      if (path === list) throw new Fault("403");
      return CLOUD[path];
    });
    const found = await texts(
      on({ network: "lann", ...(list.includes("qos") && { qosPolicy: "glod" }) }),
      refusing,
    );
    expect(found).toEqual([
      'vnfm:vnfs.vnf-a.extVirtualLinks.ext.network: the cloud has no network "lann"; did you mean "lan"?',
    ]);
  },
);

it("refuses for servers that are there what each run looks up by its name, and nothing else", async () => {
  const there = cloudWith(CLOUD, ["vnf-a-a-1", "vnf-a-a-2"]);
  const check = (plans: ReturnType<typeof on>) => checkServerNeeds(plans, () => Promise.resolve(there));
  const gone = { servers: { a: { availabilityZones: ["gone"], volumeAvailabilityZones: ["gone"] } } };
  await expect(check(on({ network: GONE, subnet: GONE }, undefined, gone, "sdd"))).resolves.toBeUndefined();
  await expect(check(on({ network: "renamed" }, undefined, gone))).rejects.toThrow(
    'vnfm:vnfs.vnf-a.extVirtualLinks.ext.network: the cloud has no network "renamed"',
  );
});
