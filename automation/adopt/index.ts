import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { KubeApi } from "../../components/kube/client/kube-api";
import { IDENTITY, OWNER, ownerOf } from "../../components/deploy/objects/ownership";
import { apiAccess } from "../../components/kube/access/api-access";
import { groupKind } from "../../components/kube/objects/kinds";
import { inUse } from "../../components/kube/objects/checksum";
import { shown, type KubeObject } from "../../components/kube/objects/object";
import { own } from "../../components/base/own";
import { Fault, UsageFault } from "../fault";
import type { Run } from "../run";
import { assertFree } from "../stack/lock";
import { NOTHING } from "../operations/guard";
import { ApplyFault, operate, type Outcome } from "../operations/operation";
import type { PulumiStack } from "../stack/pulumi";
import { patchEdits } from "../stack/stack-config";
import { nameOf, type State } from "../stack/state";
import { declared, releaseOf } from "./declared";
import { MANIFESTS, packageFiles, vdusOf } from "./package-text";
import { readObjects, type ExistingObject } from "./read";
import { secretsOf } from "./related";
import { kubeconfigOfVim } from "./vim";

/** Options of `vnfm adopt`: the objects that become a CNF of the stack. */
export interface AdoptRequest {
  /** Objects as `<kind>/<name>`; a Cluster of Cluster API includes all objects that were declared for it. */
  readonly objects: readonly string[];
  /** Namespace of the objects. @default default */
  readonly namespace?: string;
  /** Instance name of their cluster. @default the `vim` of the instance in the stack config */
  readonly vim?: string;
  /** Folder for the new VNF package, relative to that of the project. @default vnf-packages/<instance> */
  readonly into?: string;
}

/**
 * Adopts existing objects of a cluster as a CNF of the stack: writes a VNF package with their manifests and an instance
 * of it, and applies them. The manifests have the values on the cluster, so nothing of the objects changes but their
 * owner.
 * @throws UsageFault if an object does not exist, Fault if it belongs to others
 */
export async function adopt(
  stack: PulumiStack,
  vnf: string,
  { objects: names, namespace = "default", vim: on, into = `vnf-packages/${vnf}` }: AdoptRequest,
  run: Run,
): Promise<Outcome> {
  await assertFree(stack);
  const { vnfs } = await stack.settings();
  const present = own(vnfs, vnf) ?? {};
  const taken = ["package", "additionalParams"].find((key) => present[key] !== undefined);
  if (taken !== undefined)
    throw new UsageFault(`the stack config already has an instance ${vnf}: vnfm:vnfs.${vnf}.${taken} exists`);
  if (on !== undefined && present["vim"] !== undefined)
    throw new UsageFault(`vnfm:vnfs.${vnf}.vim is already in the stack config: remove --vim`);
  const vim = on ?? present["vim"];
  if (vim === undefined)
    throw new UsageFault(
      `set --vim NAME, or vnfm:vnfs.${vnf}.vim in the stack config, for example with a kubeconfig`,
    );
  const folder = join(stack.folder, into);
  if (existsSync(folder)) throw new UsageFault(`${into} already exists: set another folder with --into`);
  const api = new KubeApi(apiAccess(await kubeconfigOfVim(stack, vim)));
  const owner = ownerOf(identityOf(await stack.state()), vnf);
  const found = (await readObjects(api, namespace, names)).filter(isNoSecret);
  assertNobodys(found, owner);
  const objects = inUse(found.map(({ object }) => declared(object)));
  const settings = {
    package: into,
    ...(present["vim"] === undefined && { vim }),
    additionalParams: additionalParams(namespace, objects),
  };
  writePackage(folder, packageFiles(vnf, objects));
  try {
    return await operate(
      stack,
      () => ({
        edits: patchEdits(vnf, own(vnfs, vnf), settings),
        allowance: NOTHING,
        prepare: async () => {
          for (const one of found) await claim(api, one, owner);
          return undefined;
        },
        warnings: warningsAbout(vnf, found),
      }),
      run,
    );
  } catch (error) {
    // the stack config names the package once it is applied
    if (!(error instanceof ApplyFault)) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The identity of the stack, which its first run has generated. @throws Fault if there was no run */
export function identityOf({ deployment }: State): string {
  const kept = deployment.resources?.find(
    (it) => it.type === "pulumi:index:Stash" && nameOf(it) === IDENTITY,
  );
  const identity = kept?.outputs?.["output"];
  if (typeof identity !== "string")
    throw new Fault("the stack has no identity yet, which marks adopted objects: run 'pulumi up' once");
  return identity;
}

/** Returns false for a Secret, which is not adopted, as its content would be plain text in the package. */
function isNoSecret({ object }: ExistingObject): boolean {
  return groupKind(object) !== "/Secret";
}

/**
 * @throws Fault with all objects that belong to a CNF already, or are being deleted
 */
function assertNobodys(found: readonly ExistingObject[], owner: string): void {
  if (found.length === 0) throw new UsageFault("there is nothing to adopt: Secrets are not adopted");
  const faults = found.flatMap(({ object }) => {
    const current = object.metadata.annotations?.[OWNER];
    if (object.metadata["deletionTimestamp"] !== undefined) return [`${shown(object)} is being deleted`];
    return current === undefined || current === owner
      ? []
      : [`${shown(object)} belongs to the CNF ${current}`];
  });
  if (faults.length > 0) throw new Fault(faults.join("\n"));
}

function additionalParams(namespace: string, objects: readonly KubeObject[]): object {
  // by default a VDU is the object of its name
  const vdus = vdusOf(objects)
    .filter(({ id, name }) => id !== name)
    .map(({ id, kind, name }) => [id, { kind, name }] as const);
  const isNamespaced = objects.some(({ metadata }) => metadata.namespace !== undefined);
  return {
    ...(isNamespaced && { namespace }),
    "lcm-kubernetes-def-files": [MANIFESTS],
    ...(vdus.length > 0 && { vdu_mapping: Object.fromEntries(vdus) }),
  };
}

function writePackage(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Annotates an object with its owner, provided that its uid has not changed. */
async function claim(api: KubeApi, { object, path }: ExistingObject, owner: string): Promise<void> {
  const { annotations, uid } = object.metadata;
  const operations = [
    { op: "test", path: "/metadata/uid", value: uid },
    ...(annotations === undefined ? [{ op: "add", path: "/metadata/annotations", value: {} }] : []),
    { op: "add", path: `/metadata/annotations/${OWNER.replace("/", "~1")}`, value: owner },
  ];
  try {
    await api.patch(path, operations);
  } catch (error) {
    throw new Fault(`${shown(object)} cannot be adopted: ${(error as Error).message}`);
  }
}

/** Warnings for the operator before the objects are adopted. */
export function warningsAbout(vnf: string, found: readonly ExistingObject[]): readonly string[] {
  const secrets = [...new Set(found.flatMap(({ object }) => secretsOf(object)))];
  const releases = [...new Set(found.flatMap(({ object }) => releaseOf(object) ?? []))];
  return [
    `${vnf}: the objects shown as created exist on the cluster and stay as they are; from now on 'pulumi destroy' deletes them`,
    ...(secrets.length === 0
      ? []
      : [
          `${vnf}: Secret ${secrets.join(", ")} is used, but not adopted: keep it on the cluster as long as ${vnf}`,
        ]),
    ...releases.map(
      (release) =>
        `${vnf}: objects belong to the Helm release ${release}, which changes them on upgrade and deletes them on uninstall: ` +
        "to end the release, delete only its Secrets sh.helm.release.v1.*",
    ),
  ];
}
