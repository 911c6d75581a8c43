/**
 * Servers without a cluster: one that Nova cannot schedule, images and flavors by id and by an ambiguous name, and
 * servers that boot from volumes.
 */
import { appendFileSync, existsSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, REPOSITORY } from "../../support/command";
import { runningPath } from "../../support/lab";
import { OpenStack } from "../../support/openstack";
import { DEBIAN, writeServersPackage } from "../../support/servers-package";
import type { Vnfc } from "../../support/outputs";
import { TestStack } from "../../support/stack";

jest.setTimeout(10 * 60 * 1000);

/** The program of this repository, with a cloud that never answers: nothing keeps Node.js running. */
const ENDS_EARLY = `import * as vnfm from "./components";
import { OpenStack } from "./components/openstack/session";
OpenStack.connect = () => new Promise(() => undefined);
export = vnfm.stack();
`;

let stack: TestStack;
let admin: OpenStack;
/** Flavor that is too large for any compute host. */
let huge: string;
/** Two images with the name `twice`. */
let images: string[];

/** Returns the config of the instance: both servers on the lab's network. */
function vnf(changes: object = {}): object {
  const extVirtualLinks = { plain_CP: { network: "public" }, rooted_CP: { network: "public" } };
  return { "vnf-a": { package: "package", extVirtualLinks, ...changes } };
}

/** Runs `up` with a preview, as an operator does. */
const up = () => stack.pulumi("up", "--yes", "--stack", stack.name);

async function vnfcs(): Promise<Readonly<Record<string, Vnfc>>> {
  return (await stack.vnf("vnf-a")).vnfcs;
}

async function serverIds(): Promise<string[]> {
  const { servers } = await stack.cloud.get<{ servers: { id: string }[] }>("compute", "/servers");
  return servers.map(({ id }) => id).sort();
}

async function volumeIds(): Promise<string[]> {
  const { volumes } = await stack.cloud.get<{ volumes: { id: string }[] }>("block-storage", "/volumes");
  return volumes.map(({ id }) => id);
}

/** Reads the relevant fields of a server. */
async function server(id: string) {
  const { server } = await stack.cloud.get<{
    server: {
      readonly status: string;
      readonly image: { readonly id: string } | "";
      readonly flavor: { readonly id: string };
      readonly "os-extended-volumes:volumes_attached": readonly { readonly id: string }[];
    };
  }>("compute", `/servers/${id}`);
  const volumes = server["os-extended-volumes:volumes_attached"].map((volume) => volume.id);
  return { ...server, volumes };
}

/** Creates an image without data. */
async function orderImage(name: string, changes: object = {}): Promise<string> {
  const image = { name, disk_format: "raw", container_format: "bare", ...changes };
  return (await stack.cloud.post<{ id: string }>("image", "/v2/images", image)).id;
}

async function makeImage(name: string, changes: object = {}): Promise<string> {
  const file = join(stack.folder, "image");
  writeFileSync(file, "guest: debian-12\n");
  const id = await orderImage(name, changes);
  await stack.cloud.upload("image", `/v2/images/${id}/file`, readFileSync(file));
  return id;
}

beforeAll(async () => {
  admin = await OpenStack.connect("lab-admin");
  const flavor = { name: `huge-${process.pid}`, vcpus: 1, ram: 1 << 20, disk: 1 };
  huge = (await admin.post<{ flavor: { id: string } }>("compute", "/flavors", { flavor })).flavor.id;
  stack = await TestStack.create("servers", {});
  // one server boots from its image, the other from a volume
  const root = { virtual_block_storage_data: { size_of_storage: "2 GB" }, sw_image_data: DEBIAN };
  writeServersPackage(stack.folder, { plain: {}, rooted: { root: "root" } }, { root });
  images = [await makeImage("twice"), await makeImage("twice")].sort();
});

afterAll(async () => {
  for (const image of images ?? []) await stack.cloud.delete("image", `/v2/images/${image}`);
  await stack?.remove();
  await admin?.delete("compute", `/flavors/${huge}`);
});

it("vnfm refuses a name that several images have, in the preview, with their ids", async () => {
  stack.configure(vnf({ images: { plain: "twice", rooted: "nothing" } }));
  const { status, stdout, stderr } = await stack.pulumi("preview", "--stack", stack.name);
  expect(status).not.toBe(0);
  const [one, other] = images;
  const orders = `${one}, ${other}|${other}, ${one}`;
  const twice = new RegExp(`vnf-a.images.plain: "twice" matches 2 images: (${orders}); set the id of one`);
  expect(stdout + stderr).toMatch(twice);
  expect(stdout + stderr).toContain('vnf-a.images.rooted: the cloud has no image "nothing"');
  expect(await stack.cloud.inventory()).toEqual([]);
});

it("refuses, before anything is made, an image without data, one that is too large, and an address that is taken", async () => {
  const made = [await orderImage("queued"), await makeImage("large", { min_disk: 30 })];
  const wanted = { port: { network_id: await stack.cloud.networkId("public"), name: "taken" } };
  const { port } = await stack.cloud.post<{
    port: { id: string; fixed_ips: { ip_address: string }[] };
  }>("network", "/v2.0/ports", wanted);
  const address = port.fixed_ips[0]?.ip_address ?? "";
  const extVirtualLinks = {
    plain_CP: { network: "public", fixedAddresses: [address] },
    rooted_CP: { network: "public", fixedAddresses: ["10.99.0.1"] },
  };
  stack.configure(vnf({ images: { plain: "queued", root: "large" }, extVirtualLinks }));
  const { status, stdout, stderr } = await up();
  expect(status).not.toBe(0);
  for (const fault of [
    'vnfm:vnfs.vnf-a.images.plain: the image "queued" is queued, and a server can be created only from an active one',
    'vnfm:vnfs.vnf-a: the volume root has 2 GiB of disk, and the image "large" needs 30 GiB',
    `vnfm:vnfs.vnf-a.extVirtualLinks: ${address}, a fixed address of plain_CP, is used by the port "taken" (${port.id})`,
    "vnfm:vnfs.vnf-a.extVirtualLinks: 10.99.0.1, a fixed address of rooted_CP, is in no subnet of the network",
  ])
    expect(stdout + stderr).toContain(fault);
  expect(await stack.cloud.inventory()).toEqual([`ports ${port.id}`]);
  await stack.cloud.delete("network", `/v2.0/ports/${port.id}`);
  for (const image of made) await stack.cloud.delete("image", `/v2/images/${image}`);
});

it("refuses, before anything is made, networks, groups, zones and a router that the cloud has not, all at once", async () => {
  const extVirtualLinks = {
    plain_CP: { network: "pubic", floatingNetwork: "publik", securityGroups: ["defaullt"] },
    rooted_CP: { network: "public", qosPolicy: "nothing" },
  };
  const servers = { plain: { availabilityZones: ["novaa"] }, rooted: { volumeAvailabilityZones: ["novaa"] } };
  stack.configure(vnf({ extVirtualLinks, servers }));
  const { status, stdout, stderr } = await up();
  expect(status).not.toBe(0);
  for (const fault of [
    'vnfm:vnfs.vnf-a.extVirtualLinks.plain_CP.network: the cloud has no network "pubic"; did you mean "public"?',
    'vnfm:vnfs.vnf-a.extVirtualLinks.plain_CP.floatingNetwork: the cloud has no network "publik"; did you mean "public"?',
    'vnfm:vnfs.vnf-a.extVirtualLinks.plain_CP.securityGroups[0]: the cloud has no security group "defaullt"; did you mean "default"?',
    'vnfm:vnfs.vnf-a.extVirtualLinks.rooted_CP.qosPolicy: the cloud has no QoS policy "nothing"',
    'vnfm:vnfs.vnf-a.servers.plain.availabilityZones[0]: the cloud has no availability zone "novaa"; did you mean "nova"?',
    'vnfm:vnfs.vnf-a.servers.rooted.volumeAvailabilityZones[0]: the cloud has no availability zone of volumes "novaa"',
  ])
    expect(stdout + stderr).toContain(fault);
  expect(stdout + stderr).not.toContain("serializing");
  expect(await stack.cloud.inventory()).toEqual([]);
});

it("the failed run leaves a server that Nova could not make out of the outputs", async () => {
  stack.configure(vnf({ flavors: { plain: huge } }));
  const { status, stdout, stderr } = await up();
  expect([status === 0, stdout + stderr]).toEqual([
    false,
    expect.stringContaining("unexpected state 'ERROR'"),
  ]);
  const { stdout: shown } = await stack.vnfm("status");
  expect(shown).not.toContain("STARTED");
});

it("vnfm makes that server anew in the next run, and says why Nova could not make it", async () => {
  stack.configure(vnf({ images: { plain: images[0] } }));
  const failed = await serverIds();
  expect(await stack.changes()).toContain("replace vnf-a-plain-1-server");
  const { status, stdout } = await up();
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/plain-1: server \S+ is in ERROR: No valid host/),
  ]);
  const { "plain-1": plain, "rooted-1": rooted } = await vnfcs();
  expect(await serverIds()).toEqual([plain?.serverId ?? "", rooted?.serverId ?? ""].sort());
  expect(failed).not.toContain(plain?.serverId);
  const made = await server(plain?.serverId ?? "");
  expect([made.status, made.image]).toMatchObject(["ACTIVE", { id: images[0] }]);
  expect((await server(rooted?.serverId ?? "")).status).toBe("ACTIVE");
  expect(await stack.changes()).toEqual([]);
});

it("vnfm needs no image for a server that is there", async () => {
  stack.configure(vnf({ images: { plain: "gone", rooted: "gone" } }));
  expect(await stack.changes()).toEqual([]);
});

it("vnfm deletes nothing where the program ends before it has declared anything", async () => {
  const servers = await serverIds();
  const program = join(stack.folder, "index.ts");
  unlinkSync(program);
  writeFileSync(program, ENDS_EARLY);
  try {
    for (const run of [
      () => stack.pulumi("preview", "--stack", stack.name),
      up,
      () => stack.vnfm("preview"),
      () => stack.vnfm("up", "--yes"),
    ]) {
      const { status, stdout, stderr } = await run();
      expect([status === 0, stdout + stderr]).toEqual([
        false,
        expect.stringContaining("the process ends before this is done: the VNF instances of the stack"),
      ]);
    }
    expect(await serverIds()).toEqual(servers);
  } finally {
    unlinkSync(program);
    symlinkSync(join(REPOSITORY, "index.ts"), program);
  }
});

it("the stack is not deleted as a whole by a stack config that has lost its instances", async () => {
  const servers = await serverIds();
  stack.configure({});
  const { stdout: shown } = await stack.pulumi("preview", "--stack", stack.name);
  expect(shown).toContain(
    "none of the 1 instances of the last update is in the stack config any more: vnf-a",
  );
  const { status, stderr } = await stack.vnfm("up", "--yes");
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining("rejected: the update would delete all instances of the stack: vnf-a"),
  ]);
  expect(await serverIds()).toEqual(servers);
});

it("vnfm gives a server that is healed a new volume to boot from, and deletes the one before", async () => {
  const before = await server((await vnfcs())["rooted-1"]?.serverId ?? "");
  expect([before.image, before.volumes.length, await volumeIds()]).toEqual(["", 1, before.volumes]);
  stack.configure(vnf({ images: { plain: images[0] }, heal: { "rooted-1": "1" } }));
  expect((await up()).status).toBe(0);
  const after = await server((await vnfcs())["rooted-1"]?.serverId ?? "");
  expect(after.volumes).toHaveLength(1);
  expect(after.volumes).not.toEqual(before.volumes);
  expect(await volumeIds()).toEqual(after.volumes);
});

it("the healed server boots from the same volume again where it is kept, with what was written to it", async () => {
  const kept = { images: { plain: images[0] }, keepBootVolumes: true };
  stack.configure(vnf({ ...kept, heal: { "rooted-1": "1" } }));
  expect((await up()).status).toBe(0);
  const first = (await vnfcs())["rooted-1"];
  const volume = first?.volumes?.["root"];
  expect(await volumeIds()).toEqual([volume]);
  const file = runningPath(first?.serverId ?? "", "/etc/kept");
  appendFileSync(file, "written\n");
  await mustRun("sync", []);
  stack.configure(vnf({ ...kept, heal: { "rooted-1": "2" } }));
  expect((await up()).status).toBe(0);
  const second = (await vnfcs())["rooted-1"];
  expect(second?.serverId).not.toBe(first?.serverId);
  expect(second?.volumes?.["root"]).toBe(volume);
  const again = runningPath(second?.serverId ?? "", "/etc/kept");
  expect(existsSync(again) ? readFileSync(again, "utf8") : "").toBe("written\n");
});

it("vnfm deletes a kept volume only once it is said to go", async () => {
  stack.configure({});
  const { status, stdout, stderr } = await up();
  expect([status === 0, (await volumeIds()).length]).toEqual([false, 1]);
  expect(stdout + stderr).toContain("protect");
  stack.configure(
    vnf({
      images: { plain: images[0] },
      keepBootVolumes: true,
      protectVolumes: false,
      heal: { "rooted-1": "2" },
    }),
  );
  expect((await up()).status).toBe(0);
  expect(await stack.vnfm("terminate", "--all", "--yes")).toMatchObject({ status: 0 });
  expect(await stack.cloud.inventory()).toEqual([]);
  expect((await up()).status).toBe(0);
});
