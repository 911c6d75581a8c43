/** A first stack config of what a cloud has: what is taken by default, what is refused, what is written. */
import { parse } from "yaml";
import { intentOf } from "../../../../automation/stack/intent";
import { chooseAll } from "../../../../automation/init/ask";
import {
  defaultFlavor,
  defaultImage,
  defaultManagementCidr,
  defaultNetwork,
} from "../../../../automation/init/choices";
import { assertNoVnfs, firstCnf, withFirstCluster } from "../../../../automation/init/config-text";
import { readCloudOffer, type CloudOffer } from "../../../../automation/init/offer";
import { ownAddress } from "../../../../automation/init/own-address";
import { byDefault } from "../../../../automation/init/questions";
import type { StackSettings } from "../../../../automation/stack/stack-config";
import { UsageFault } from "../../../../automation/fault";
import { filesOf } from "../../../../components/gather/project-files";
import { REPOSITORY } from "../../../support/command";
import { packageOf, vnfd } from "../../vnfd/support";
import { vdu } from "../../fixtures";
import { CLOUD } from "./cloud";
import { inRepository } from "../in-repository";

const VDUS = {
  master: vdu("masterNode", {
    image: "debian-12-kube-v1.33.0",
    flavor: "m1.medium",
    vcpus: 2,
    memoryMiB: 4096,
  }),
  worker: vdu("workerNode", {
    image: "debian-12-kube-v1.33.0",
    flavor: "m1.small",
    vcpus: 1,
    memoryMiB: 2048,
  }),
};
const here = (host: string) => Promise.resolve(host === "198.19.0.1" ? "198.19.0.1" : "203.0.113.7");

let offer: CloudOffer;
beforeAll(async () => {
  process.chdir(REPOSITORY);
  offer = await readCloudOffer(CLOUD);
});

const choices = (given: Record<string, string> = {}) =>
  chooseAll(offer, VDUS, byDefault(given), here, "keystone.example");

it("`vnfm init` reads all pages of images, and which networks servers can be on", () => {
  expect(offer.images.map(({ name }) => name)).toEqual([
    ...["debian-12", "debian-12-kube-v1.33.0", "ubuntu-24.04-kube-v1.34.4", "twice", "twice"],
  ]);
  expect(offer.networks.map(({ name, isUsable, isExternal }) => [name, isUsable, isExternal])).toEqual([
    ["public", true, true],
    ["floating", false, true],
    ["backend", true, false],
  ]);
});

it("`vnfm init` takes what the package asks for where the cloud has it, and lets the subnet of this machine connect", async () => {
  expect(await choices()).toEqual({
    network: { existing: "public" },
    image: "debian-12-kube-v1.33.0",
    username: "debian",
    masterFlavor: "m1.medium",
    workerFlavor: "m1.small",
    managementCidr: "198.19.0.0/24",
  });
});

it("`vnfm init` takes what is given, by name or id", async () => {
  const given = {
    ...{ network: "new", "external-network": "floating", "node-image": "d5", "master-flavor": "e4" },
    ...{ "worker-flavor": "m1.medium", "management-cidr": "192.0.2.9" },
  };
  expect(await choices(given)).toEqual({
    network: { externalNetwork: "floating" },
    image: "d5",
    username: "admin",
    masterFlavor: "m1.large",
    workerFlavor: "m1.medium",
    managementCidr: "192.0.2.9/32",
  });
});

it.each([
  [
    { network: "pubic" },
    '--network: the cloud has no network "pubic"; one of backend, public; did you mean "public"?',
  ],
  [{ network: "floating" }, '--network: the cloud has no network "floating"; one of backend, public'],
  [
    { network: "new", "external-network": "backend" },
    '--external-network: the cloud has no external network "backend"; one of floating, public',
  ],
  [{ "node-image": "twice" }, '--node-image: "twice" matches 2 images: d4, d5; set the id of one'],
  [{ "node-image": "debain-12" }, 'did you mean "debian-12"?'],
  [{ "master-flavor": "m1.meduim" }, 'the cloud has no flavor "m1.meduim"; one of m1.large'],
  [{ "management-cidr": "all" }, '--management-cidr: "all" is not a CIDR, such as 203.0.113.0/24'],
])("`vnfm init` refuses %j", async (given, message) => {
  await expect(choices(given as Record<string, string>)).rejects.toThrow(message);
});

it("`vnfm init` asks for what has no default", async () => {
  const without = { ...offer, images: offer.images.filter(({ name }) => !name.includes("kube")) };
  const answered = chooseAll(without, VDUS, byDefault({}), here, "keystone.example");
  await expect(answered).rejects.toThrow(
    "image of the nodes, with containerd, kubeadm and kubelet has no default: set --node-image; available:\n" +
      "  debian-12\n  d4\n  d5",
  );
});

it("chooses what a cluster can be made of where the cloud has other names", () => {
  const other = { ...VDUS.master, image: "none", flavor: "none" };
  expect(defaultImage(offer.images, other)?.name).toBe("ubuntu-24.04-kube-v1.34.4");
  expect(defaultFlavor(offer.flavors, other)?.name).toBe("m1.medium");
  expect(defaultFlavor(offer.flavors, { ...other, vcpus: 16 })).toBeUndefined();
  const [provider, external, own] = offer.networks;
  expect(defaultNetwork([own!, external!])).toEqual({ externalNetwork: "floating" });
  expect(defaultNetwork([own!])).toEqual({ existing: "backend" });
  expect(defaultNetwork([provider!, { ...provider!, id: "b9" }])).toEqual({ existing: "b1" });
  expect(defaultNetwork([])).toBeUndefined();
});

it("`vnfm init` lets this machine alone connect from elsewhere, and nobody where it has no address", async () => {
  expect(defaultManagementCidr("203.0.113.7", ["198.19.0.0/24"])).toBe("203.0.113.7/32");
  expect(defaultManagementCidr("127.0.0.1", ["198.19.0.0/24"])).toBeUndefined();
  expect(defaultManagementCidr(undefined, [])).toBeUndefined();
  expect(await ownAddress("127.0.0.1")).toBe("127.0.0.1");
});

it("`vnfm init` writes a config that the program takes, beside what is there", async () => {
  const written = withFirstCluster("encryptionsalt: v1:x\n", await choices(), "lab");
  expect(written).toBe(`# yaml-language-server: $schema=vnfm.schema.json
# A first cluster, written by \`vnfm init\`. docs/stack-config.md describes all settings.

encryptionsalt: v1:x
config:
  openstack:cloud: lab
  pulumi:disable-default-providers:
    - kubernetes
  vnfm:vnfs:
    vnf-a:
      package: vnf-packages/kubernetes-cluster
      flavour: simple
      scale:
        worker_instance: 1 # level 0 is one worker, each level adds one
      images:
        masterNode: debian-12-kube-v1.33.0
        workerNode: debian-12-kube-v1.33.0
      flavors:
        masterNode: m1.medium
        workerNode: m1.small
      extVirtualLinks:
        masterNode_CP1:
          network: public
        workerNode_CP2:
          network: public
      additionalParams:
        k8s_cluster_installation_param:
          master_node:
            ssh_cp_name: masterNode_CP1
            username: debian # user that vnfm logs in as
            pod_cidr: 10.244.0.0/16
            cluster_cidr: 10.96.0.0/12
          worker_node:
            aspect_id: worker_instance
            ssh_cp_name: workerNode_CP2
            username: debian
          management_cidrs:
            - 198.19.0.0/24 # may reach SSH, the API and node ports
`);
});

it("`vnfm init` puts a CNF of all manifests of its package on the cluster", async () => {
  const cnf = firstCnf("vnf-packages/web-cnf", filesOf(REPOSITORY));
  const written = withFirstCluster("", await choices(), "lab", { "vnf-b": cnf });
  expect(written.slice(written.indexOf("    vnf-b:"))).toBe(`    vnf-b:
      package: vnf-packages/web-cnf
      vim: vnf-a
      additionalParams:
        lcm-kubernetes-def-files:
          - Files/kubernetes/configmap.yaml
          - Files/kubernetes/deployment.yaml
          - Files/kubernetes/disruption-budget.yaml
          - Files/kubernetes/service.yaml
`);
  const { config } = parse(written) as { config: Record<string, StackSettings["vnfs"]> };
  expect([...intentOf(inRepository({ vnfs: config["vnfm:vnfs"] ?? {} })).keys()]).toEqual(["vnf-a", "vnf-b"]);
});

it("`vnfm init` refuses a CNF of a package that has no manifests", () => {
  const location = packageOf(vnfd);
  expect(() => firstCnf(location, filesOf(REPOSITORY))).toThrow(
    new UsageFault(`--cnf: ${location} has no manifests, which are Files/kubernetes/*.yaml`),
  );
});

it("`vnfm init` writes a network behind a router, with the master as the way in", async () => {
  const written = withFirstCluster(
    "",
    await choices({ network: "new", "external-network": "public" }),
    undefined,
  );
  const { config } = parse(written) as { config: Record<string, StackSettings["vnfs"]> };
  expect(Object.keys(config)).toEqual(["pulumi:disable-default-providers", "vnfm:vnfs"]);
  expect(config["vnfm:vnfs"]?.["vnf-a"]).toMatchObject({
    virtualLinks: { nodes: { subnets: [{ cidr: "10.20.0.0/24" }], router: { externalNetwork: "public" } } },
    extVirtualLinks: {
      masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "public" },
      workerNode_CP2: { virtualLink: "nodes" },
    },
    additionalParams: { k8s_cluster_installation_param: { jump_host: { vnfc: "masterNode-1" } } },
  });
  expect([...intentOf(inRepository({ vnfs: config["vnfm:vnfs"] ?? {} })).keys()]).toEqual(["vnf-a"]);
});

it("`vnfm init` keeps an integer of another program's settings to its last digit", async () => {
  const written = withFirstCluster("config:\n  other:id: 12345678901234567890\n", await choices(), "lab");
  expect(written).toContain("  other:id: 12345678901234567890\n");
});

it("`vnfm init` keeps comments and settings of a config, and replaces its VNFs where it is told to", async () => {
  const text = "# ours\nconfig:\n  openstack:cloud: site # the new one\n  vnfm:vnfs: {old: {package: p}}\n";
  expect(() => assertNoVnfs(text)).toThrow(
    "the stack config already has vnfm:vnfs, with old: nothing was written",
  );
  const written = withFirstCluster(text, await choices(), "lab");
  expect(written).toMatch(/^# yaml-language-server: \$schema=vnfm\.schema\.json\n/);
  expect(written).toContain("\n# ours\nconfig:\n");
  expect(withFirstCluster(written, await choices(), "lab")).toBe(written);
  expect(written).toContain("  openstack:cloud: site # the new one\n");
  expect(written).not.toContain("old");
  expect(() => assertNoVnfs("encryptionsalt: v1:x\n")).not.toThrow();
  expect(() => assertNoVnfs("")).not.toThrow();
  expect(() => assertNoVnfs("config: [")).toThrow("the stack config is not valid YAML");
});
