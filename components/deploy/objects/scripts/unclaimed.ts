/**
 * Fails where objects cannot be made, and names them all: others have made them already, they are being deleted, or the
 * cluster does not know their API version. It fails too where a definition or a Namespace leaves the CNF that has objects
 * of others. Standard input has the credentials, the annotation that the owner's objects have, where they would be, and
 * the CNF's definitions and Namespaces. Where all is well it prints what it has found free, and those of the latter that
 * are protected; PULUMI_COMMAND_STDOUT has that of the time before, which is the owner's by now.
 */
import { createHash } from "node:crypto";
import { jsonData } from "../../../base/json";
import { Missing, untilDone } from "../../../base/until";
import { deletionOf } from "../../../kube/client/deletion";
import { ApiError, isPassing, KubeApi, type Access } from "../../../kube/client/kube-api";
import { objectAt } from "../../../kube/client/read";
import { pathOf, UnknownKind, type Whereabouts } from "../../../kube/client/whereabouts";
import { readInput, startProgram } from "../../../run/program";
import type { Holders, Own } from "../../../kube/client/foreign-objects";
import { refuseForeign } from "./refuse-foreign";

/** How long the cluster may be out of reach, and objects that are being deleted may take to go. */
const PATIENCE = { seconds: 30, pauseMs: 2000, passes: isPassing };

/** Begins the line with the definitions and Namespaces that are protected. */
const PROTECTED = "protected ";

/** `removed` says what to write in place of an API version that Kubernetes has no more. */
type Plan = { shown: string; shared: boolean; ofKubernetes: boolean; removed?: string };
type Planned = Whereabouts & Plan;
type Annotation = readonly [key: string, value: string];
type Holding = Holders & Own;
type Input = {
  access: Access;
  vnf: string;
  owner: Annotation;
  objects: Planned[];
  isProtected?: boolean;
  holding?: Holding;
};

async function refuseUnmakeable(
  { access, vnf, owner, objects }: Input,
  before: readonly string[],
): Promise<string[]> {
  const api = new KubeApi(access);
  const { server, "certificate-authority-data": ca } = access.cluster;
  const marked = objects.map((object) => ({
    object,
    mark: markOf([server, ca, access.namespace, owner, object]),
  }));
  const faults = [];
  const claims = [];
  const goneBy = Date.now() + PATIENCE.seconds * 1000;
  for (const { object, mark } of marked) {
    if (before.includes(mark)) continue;
    const { shown } = object;
    const metadata = await metadataOf(api, object, goneBy);
    if (metadata === NO_KIND) faults.push(`${shown}: ${object.removed ?? unknown(object)}`);
    else if (metadata?.deletionTimestamp)
      faults.push(`${shown} is on the cluster and ${deletionOf({ metadata }) ?? "is being deleted"}`);
    else if (metadata !== undefined && isClaimed(metadata, owner, object))
      claims.push(`${shown} is on the cluster already${madeBy(metadata, owner)}`);
  }
  if (claims.length > 0)
    claims.push(
      `${vnf} would change what is not its own, and delete it in the end. Take it out of the manifests, give it ` +
        "another namespace or name, delete it yourself, or have it taken over by the annotation " +
        `${owner.join("=")}: see 'An object that is there already' in docs/deploy-a-cnf.md`,
    );
  if (faults.length + claims.length > 0) throw new Error([...faults, ...claims].join("\n"));
  return marked.map(({ mark }) => mark);
}

function unknown({ apiVersion, kind }: Planned) {
  return `the cluster has no ${kind} of ${apiVersion}; 'kubectl api-resources' has what it has`;
}

/**
 * Returns true if an object is another's.
 * @param metadata of what is there
 */
function isClaimed({ annotations = {} }: any, [key, owner]: Annotation, { shared }: Planned) {
  const known = annotations[key];
  return known === undefined ? !shared : known !== owner;
}

/** Changes with what is asked. */
function markOf(question: unknown) {
  return createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 16);
}

/** Whose it is, and who has made it; who tells its status aside. */
function madeBy({ annotations = {}, managedFields = [] }: any, [key]: Annotation) {
  const makers = managedFields.filter(({ subresource }: any) => !subresource);
  const managers = new Set(makers.map(({ manager }: any) => manager));
  const owner = annotations[key] === undefined ? "" : `, of the CNF ${annotations[key]}`;
  return owner + (managers.size === 0 ? "" : `, made or changed by ${[...managers].join(", ")}`);
}

/** In place of the metadata of an object of Kubernetes' own kinds, where the cluster does not know the kind. */
const NO_KIND = Symbol();

/**
 * Of an object that is there. One that may not be read may not be changed either, as the Kubernetes plugin will say;
 * or it may be once its Namespace is made.
 * @param goneBy until when one that is being deleted is waited for
 */
async function metadataOf(api: KubeApi, object: Planned, goneBy: number): Promise<any> {
  const ask = async () => {
    try {
      const { metadata } = await objectAt(api, await pathOf(api, object));
      const isLeaving = metadata.deletionTimestamp !== undefined && Date.now() < goneBy;
      return isLeaving ? new Missing("it is being deleted") : metadata;
    } catch (error) {
      if (error instanceof UnknownKind) return object.ofKubernetes ? NO_KIND : undefined;
      if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined;
      throw error;
    }
  };
  const found = await untilDone(ask, PATIENCE).catch((error) => {
    throw new Error(`${object.shown}: ${error.message}`);
  });
  if (found instanceof Missing) throw new Error(`${object.shown}: ${found.text}`);
  return found;
}

/**
 * Refuses that definitions and Namespaces leave which were protected the time before.
 * @returns those that are protected now
 */
async function refuseLeaving(
  { access, isProtected, holding }: Input,
  before: readonly string[],
): Promise<string[]> {
  const { server } = access.cluster;
  const line = before.find((one) => one.startsWith(PROTECTED));
  const had: (Holding & { server: string }) | undefined =
    line === undefined
      ? undefined
      : (jsonData(line.slice(PROTECTED.length), "the output of the time before") as Holding & {
          server: string;
        });
  // what leaves another cluster is looked at there, when the CNF ends on it
  if (had !== undefined && had.server === server) {
    const definitions = had.definitions.filter((name) => !holding?.definitions.includes(name));
    const namespaces = had.namespaces.filter((name) => !holding?.namespaces.includes(name));
    await refuseForeign(access, { definitions, namespaces }, had);
  }
  return isProtected ? [PROTECTED + JSON.stringify({ server, ...holding })] : [];
}

async function main() {
  const input = readInput<Input>();
  const before = (process.env.PULUMI_COMMAND_STDOUT ?? "").split("\n");
  const lines = await Promise.all([refuseUnmakeable(input, before), refuseLeaving(input, before)]);
  process.stdout.write(lines.flat().join("\n"));
}

startProgram(main);
