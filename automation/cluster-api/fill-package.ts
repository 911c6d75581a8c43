import { access, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readManifests } from "../../components/kube/manifests";
import { faultLine, type Fault as ManifestFault } from "../../components/vnfd/model";
import {
  contractOf,
  isUntold,
  mismatches,
  RELEASE_FILES,
  UPSTREAM,
  type ReleaseFile,
  type Versions,
} from "./releases";
import { Fault } from "../fault";

export interface FillRequest {
  readonly versions: Versions;
  /** A folder or an `http(s)://` URL with the layout of clusterctl's local repositories. @default upstream's releases */
  readonly from?: string;
  /** Folder of the package. */
  readonly into: string;
}

/**
 * Puts the manifests of Cluster API's releases into the package of a management cluster, where the releases go
 * together. Nothing is written unless all of it can be.
 * @returns lines for a person
 * @throws Fault
 */
export async function fillPackage({ versions, from, into }: FillRequest): Promise<readonly string[]> {
  const folder = join(into, "Files/kubernetes");
  await access(join(into, "TOSCA-Metadata/TOSCA.meta")).catch(() => {
    throw new Fault(`${into} is no VNF package: it has no TOSCA-Metadata/TOSCA.meta`);
  });
  const contracts: Record<string, string> = {};
  const manifests: { readonly name: string; readonly text: string; readonly objects: number }[] = [];
  for (const release of RELEASE_FILES) {
    const { provider, project, file, packaged, hasMetadata } = release;
    const version = versions[project];
    const read = (name: string): Promise<string> => readReleased(placeOf(release, version, name, from));
    if (hasMetadata) contracts[provider] = contractOf(provider, version, await read("metadata.yaml"));
    const text = await read(file);
    manifests.push({
      name: packaged,
      text,
      objects: countObjects(placeOf(release, version, file, from), text),
    });
  }
  const wrong = mismatches(versions, contracts);
  if (wrong.length > 0) throw new Fault(["these releases do not go together:", ...wrong].join("\n  "));

  await mkdir(folder, { recursive: true });
  for (const { name, text } of manifests) await writeWhole(join(folder, name), text);
  return [
    ...manifests.map(({ name, objects }) => `${join(folder, name)}: ${objects} objects`),
    ...(isUntold(versions)
      ? [`CAPO ${versions.openstack}: which releases it was tested with is not known; only its contract fits`]
      : []),
    "cert-manager must run on the cluster before them: it makes the certificates of their webhooks",
  ];
}

/** Where a file of a release is: `<from>/<provider>/<version>/<file>`, or at upstream. */
function placeOf({ provider, project }: ReleaseFile, version: string, file: string, from?: string): string {
  if (from === undefined) return `${UPSTREAM[project]}/${version}/${file}`;
  return `${from.replace(/\/+$/, "")}/${provider}/${version}/${file}`;
}

async function readReleased(place: string): Promise<string> {
  if (!/^https?:\/\//.test(place)) {
    return readFile(place, "utf8").catch((error: NodeJS.ErrnoException) => {
      throw new Fault(`${place} cannot be read: ${error.code ?? error.message}`);
    });
  }
  try {
    const response = await fetch(place, { signal: AbortSignal.timeout(120_000) });
    if (response.ok) return await response.text();
    throw new Fault(`${place} is answered with ${response.status}`);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { cause, message } = error as Error & { cause?: Error & { code?: string } };
    throw new Fault(`${place} cannot be read: ${cause?.code ?? cause?.message ?? message}`);
  }
}

/** The number of objects in a manifest. @throws Fault if it is none, such as a page that says where to log in */
function countObjects(place: string, text: string): number {
  const faults: ManifestFault[] = [];
  const objects = readManifests({ read: () => Buffer.from(text) }, [place], faults);
  const [first] = faults;
  if (first !== undefined) throw new Fault(faultLine(first));
  if (objects.length === 0) throw new Fault(`${place} has no Kubernetes object in it`);
  return objects.length;
}

/** A file that is there as a whole or not at all. */
async function writeWhole(path: string, text: string): Promise<void> {
  const unfinished = `${path}.part`;
  await writeFile(unfinished, text);
  await rename(unfinished, path);
}
