/**
 * Fails for objects that cannot be created, and names them all: others have created them already, they are being
 * deleted, or the cluster does not know their API version. It also fails if a CRD or a Namespace that leaves the CNF
 * contains objects that the stack did not create. Standard input has the credentials, the annotation of the owner's
 * objects, the planned objects, and the CNF's CRDs and Namespaces. On success it prints the objects that did not exist,
 * and the protected CRDs and Namespaces. PULUMI_COMMAND_STDOUT has the previous output, whose objects belong to the
 * owner by now.
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

/** Time limit for a cluster that is unreachable, and for the deletion of objects that are being deleted. */
const PATIENCE = { seconds: 30, pauseMs: 2000, passes: isPassing };

/** Prefix of the line with the protected CRDs and Namespaces. */
const PROTECTED = "protected ";

/** A planned object; `removed` is the replacement for an API version that Kubernetes has removed. */
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
      faults.push(`${shown} exists on the cluster and ${deletionOf({ metadata }) ?? "is being deleted"}`);
    else if (metadata !== undefined && isClaimed(metadata, owner, object))
      claims.push(`${shown} already exists on the cluster${madeBy(metadata, owner)}`);
  }
  if (claims.length > 0)
    claims.push(
      `${vnf} would change objects of others, and delete them with the CNF. Remove the object from the manifests, give it ` +
        "another namespace or name, delete it yourself, or let the CNF adopt it by the annotation " +
        `${owner.join("=")}: see 'An object that exists already' in docs/deploy-a-cnf.md`,
    );
  if (faults.length + claims.length > 0) throw new Error([...faults, ...claims].join("\n"));
  return marked.map(({ mark }) => mark);
}

function unknown({ apiVersion, kind }: Planned) {
  return `the cluster has no ${kind} of ${apiVersion}; 'kubectl api-resources' lists what it has`;
}

/**
 * Returns true if an object belongs to another owner.
 * @param metadata of the existing object
 */
function isClaimed({ annotations = {} }: any, [key, owner]: Annotation, { shared }: Planned) {
  const known = annotations[key];
  return known === undefined ? !shared : known !== owner;
}

/** A digest that identifies a check, for the output. */
function markOf(check: unknown) {
  return createHash("sha256").update(JSON.stringify(check)).digest("hex").slice(0, 16);
}

/** The owner and the field managers of an object, except field managers of its status. */
function madeBy({ annotations = {}, managedFields = [] }: any, [key]: Annotation) {
  const makers = managedFields.filter(({ subresource }: any) => !subresource);
  const managers = new Set(makers.map(({ manager }: any) => manager));
  const owner = annotations[key] === undefined ? "" : `, which belongs to the CNF ${annotations[key]}`;
  return owner + (managers.size === 0 ? "" : `, created or changed by ${[...managers].join(", ")}`);
}

/** Result in place of metadata if the cluster does not know a built-in kind. */
const NO_KIND = Symbol();

/**
 * Reads the metadata of an existing object. Undefined if vnfm may not read it: then it usually may not change it
 * either, which the Kubernetes provider will report.
 * @param goneBy time until which to wait for an object that is being deleted
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
 * Refuses the deletion of CRDs and Namespaces that were protected in the previous run.
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
  // those on another cluster are checked when the CNF is deleted there
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
