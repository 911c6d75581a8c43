/**
 * The life of each server: the scripts that run for it, where, with which data, and after which others. The files in
 * lives/ contain this for a cluster of each kind, so that a change of what runs shows as a difference in these files.
 * `WRITE_LIVES=1 npx jest test/unit/vnf.test.ts --selectProjects unit` writes them.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { makeVnfs } from "../../../components/deploy/instance";
import { phaseOf } from "../../../components/deploy/phases";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { clusterVnf, haClusterVnf, haStorageVnf, kubeadmCluster, storageVnf } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { loadPackage } from "../../support/packages";
import type { Reach } from "../../../components/remote/reaching";
import { isScriptName } from "../../../components/remote/scripts";
import { clusterOutputs } from "./outputs";

const onNetwork = (...points: string[]) =>
  Object.fromEntries(points.map((point) => [point, { network: "public" }]));
const floating = { virtualLink: "nodes", floatingNetwork: "public" };
const VERSION = { kubernetes_version: "v1.34.4" };

const CLUSTERS: Readonly<Record<string, object>> = {
  simple: clusterVnf(2),
  ha: haClusterVnf(3, 1, { additionalParams: kubeadmCluster(VERSION) }),
  "external-load-balancer": haClusterVnf(3, 1, {
    flavour: "ha-external-lb",
    extVirtualLinks: onNetwork("masterNode_CP1", "workerNode_CP2", "loadBalancer_CP3"),
    additionalParams: kubeadmCluster({ load_balancer: { ssh_cp_name: "loadBalancer_CP3" } }),
  }),
  octavia: haClusterVnf(3, 1, { flavour: "ha-octavia" }),
  storage: storageVnf(),
  "ha-storage": haStorageVnf(3, 1),
  "pod-network": {
    ...clusterVnf(1, { jump_host: { vnfc: "masterNode-1" }, pod_network: "neutron" }),
    virtualLinks: {
      nodes: { subnets: [{ cidr: "10.0.0.0/24" }], router: { externalNetwork: "public" } },
    },
    extVirtualLinks: { masterNode_CP1: floating, workerNode_CP2: { virtualLink: "nodes" } },
  },
  "cloud-provider": clusterVnf(1, {
    cloud_provider: "openstack",
    addons: {
      "openstack-cloud-controller-manager": {
        ...{ repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) },
      },
    },
  }),
  rotated: {
    ...haClusterVnf(3, 1, { additionalParams: kubeadmCluster({ ...VERSION, hardening: "cis" }) }),
    rotate: { ssh_key: "1", service_account: "1", certificates: "1" },
    heal: { all: "1" },
  },
};

/** Standard input of a script resource: see scriptStep. */
interface Input {
  readonly reach: Reach;
  readonly data: Readonly<Record<string, string>>;
  readonly leaves?: boolean;
  readonly handover?: Reach;
  readonly admission?: Reach;
  readonly receipt?: string;
}

/** A script resource, as the program registers it. */
interface Command {
  readonly name: string;
  readonly inputs: RecordedResource["inputs"];
  /** Names of the resources that it depends on. */
  readonly after: readonly string[];
  readonly deletedWith: string;
}

/** Returns type and name of a resource, which identify it. */
const keyOf = (urn: string) => urn.replace(/^.*::(?:.*\$)?(.+::.+)$/, "$1");
const nameOf = (key: string) => key.slice(key.lastIndexOf("::") + 2);
const short = (name: string) => name.replace(/^vnf-a-/, "");

function outputsOf(resource: RecordedResource): Record<string, unknown> {
  const { type, name } = resource;
  if (type.endsWith(":LoadBalancer")) return { vipAddress: "10.0.0.9", vipSubnetId: "subnet" };
  if (type.includes("helm")) return { status: { revision: 1 } };
  if (type.includes("applicationCredential")) return { secret: "hidden" };
  if (type.endsWith(":FloatingIp")) return { address: `203.0.113.${name.length}` };
  if (type.startsWith("kubernetes:")) return { metadata: { name, uid: `uid-of-${name}` } };
  const [, vdu = "", ordinal = ""] = /^vnf-a-(\w+)-(\d+)-/.exec(name) ?? [];
  return type.endsWith(":Port") && vdu !== ""
    ? { allFixedIps: [`10.0.${vdu.charCodeAt(0)}.${ordinal}`] }
    : clusterOutputs(resource);
}

async function commandsOf(vnf: object): Promise<Command[]> {
  process.env["OS_AUTH_URL"] = "https://cloud.example/v3";
  const recorded = recordResources(outputsOf);
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined) throw new Error("nothing is recorded");
  const register = jest.spyOn(monitor, "registerResource");
  const { settings } = parseSettings({ "vnf-a": vnf });
  makeVnfs(planStack(settings, { loadPackage, readProjectFile: () => undefined }), () => ({
    credentialRoles: ["member"],
  }));
  await settle();
  delete process.env["OS_AUTH_URL"];
  const requests = register.mock.calls.map(([request]) => request);
  const before = new Map(
    requests.map((one) => [`${one.getType()}::${one.getName()}`, one.getDependenciesList().map(keyOf)]),
  );
  return requests
    .filter((one) => one.getType() === "command:local:Command")
    .map((one) => ({
      name: one.getName(),
      inputs:
        recorded.find(({ name, type }) => name === one.getName() && type === one.getType())?.inputs ?? {},
      after: nearest(`${one.getType()}::${one.getName()}`, before),
      deletedWith: nameOf(one.getDeletedwith()),
    }));
}

/** Lists a resource's dependencies, without indirect ones. @param before dependencies by the resource's key */
function nearest(key: string, before: ReadonlyMap<string, readonly string[]>): string[] {
  const farther = new Set<string>();
  const walk = (one: string): void => {
    for (const it of before.get(one) ?? []) {
      if (farther.has(it)) continue;
      farther.add(it);
      walk(it);
    }
  };
  const direct = [...new Set(before.get(key) ?? [])];
  direct.forEach(walk);
  return direct
    .filter((it) => !farther.has(it))
    .map(nameOf)
    .sort();
}

const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "value" in value ? value.value : value;

function placeOf({ hosts, login, jumpHost, onMaster, tries, seconds }: Reach): string {
  return [
    `${login.user}@${hosts.map(({ host }) => host).join(", ")}`,
    ...(onMaster === true ? ["any master"] : []),
    ...(jumpHost === undefined ? [] : [`through ${jumpHost.host}`]),
    `${tries} tries of ${seconds} s`,
  ].join("; ");
}

/** Returns a value for the files: a long one as its hash. */
function valueOf(text: string): string {
  if (text.length <= 60 && !text.includes("\n")) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return `${text.length} characters, ${hash}`;
}

function scriptOf({ inputs }: Command): string {
  const environment = (plain(inputs["environment"]) ?? {}) as Readonly<Record<string, string>>;
  return (environment["VNFM_SCRIPT"] ?? "").split(" ")[0] ?? "";
}

function lifeOf(command: Command): string {
  const { name, inputs, after, deletedWith } = command;
  const script = scriptOf(command);
  const verbs = ["create", "update", "delete"].filter((verb) => inputs[verb] !== undefined);
  const about = [
    ...(after.length > 0 ? [`after ${after.map(short).join(", ")}`] : []),
    ...(inputs["triggers"] === undefined ? [] : [`for ${(inputs["triggers"] as string[]).join()}`]),
    ...(deletedWith === "" ? [] : [`goes with ${short(deletedWith)}`]),
  ];
  if (script === "") return [`${short(name)}: ${verbs.join(", ") || "nothing"}`, ...about].join("\n  ");
  const { reach, data, handover, admission, ...more } = JSON.parse(String(plain(inputs["stdin"]))) as Input;
  const filled = Object.entries(data).filter(([, text]) => text !== "");
  const empty = Object.keys(data).filter((key) => data[key] === "");
  return [
    `${short(name)}: ${script} ${verbs.join(", ")}`,
    ...about,
    `on ${placeOf(reach)}`,
    ...(handover === undefined ? [] : [`which hands over on ${placeOf(handover)}`]),
    ...(admission === undefined ? [] : [`admitted on ${placeOf(admission)}`]),
    ...Object.entries(more).map(([key, value]) => `${key} ${String(value)}`),
    ...filled.map(([key, text]) => `${key}=${valueOf(text)}`),
    ...(empty.length === 0 ? [] : [`empty: ${empty.join(" ")}`]),
  ].join("\n  ");
}

it.each(Object.entries(CLUSTERS))(
  "the scripts of the cluster %s are those of its file",
  async (name, vnf) => {
    const file = join(__dirname, "lives", `${name}.txt`);
    const commands = await commandsOf(vnf);
    const lives = commands.map(lifeOf).sort().join("\n") + "\n";
    if (process.env["WRITE_LIVES"] !== undefined) writeFileSync(file, lives);
    expect(lives).toBe(readFileSync(file, "utf8"));
    const withoutPhase = commands.filter((one) => {
      const script = scriptOf(one);
      return isScriptName(script) && phaseOf(one.name, script) === undefined;
    });
    expect(withoutPhase.map(scriptOf).filter((script) => script !== "persistent-volume.sh")).toEqual([]);
  },
);
