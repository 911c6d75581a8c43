import { access, cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { placeInProject } from "../../components/gather/project-file";
import { readManifests } from "../../components/kube/manifests/manifests";
import { faultLine, type Fault as ManifestFault } from "../../components/vnfd/model";
import { writeWhole } from "../../components/base/whole-file";
import { changed, digestsText, readDigests, sha256, type Digests } from "./digests";
import {
  contractOf,
  hasUnknownNeeds,
  mismatches,
  RELEASE_FILES,
  UPSTREAM,
  type ReleaseFile,
  type Versions,
} from "./releases";
import { Fault } from "../fault";

export interface FillRequest {
  readonly versions: Versions;
  /**
   * A folder or an `http(s)://` URL with the layout of clusterctl's local repositories. @default upstream's releases
   */
  readonly from?: string;
  /** Folder of the package. */
  readonly into: string;
}

/** File of the package, next to the manifests, with the digests of the release files. */
const DIGESTS = "releases.sha256";

/**
 * Downloads the manifests of Cluster API's releases into the package of a management cluster, if the releases are
 * compatible, and stores their digests: a later run accepts no other files of these releases. If one file fails,
 * nothing is written. The rest of the package is copied from vnfm's if the project has none.
 * @returns lines for the user
 * @throws Fault
 */
export async function fillPackage({ versions, from, into }: FillRequest): Promise<readonly string[]> {
  const folder = join(into, "Files/kubernetes");
  const base = placeInProject(into);
  await access(join(base, "TOSCA-Metadata/TOSCA.meta")).catch(() => {
    throw new Fault(`${into} is no VNF package: it has no TOSCA-Metadata/TOSCA.meta`);
  });
  const contracts: Record<string, string> = {};
  const digests: Digests = {};
  const manifests: {
    readonly name: string;
    readonly text: string;
    readonly objects: number;
    readonly digest: string;
  }[] = [];
  for (const release of RELEASE_FILES) {
    const { provider, project, file, packaged, hasMetadata } = release;
    const version = versions[project];
    const read = async (name: string): Promise<string> => {
      const content = await readReleased(placeOf(release, version, name, from));
      digests[`${provider}/${version}/${name}`] = sha256(content);
      return content.toString("utf8");
    };
    if (hasMetadata) contracts[provider] = contractOf(provider, version, await read("metadata.yaml"));
    const text = await read(file);
    manifests.push({
      name: packaged,
      text,
      objects: countObjects(placeOf(release, version, file, from), text),
      digest: digests[`${provider}/${version}/${file}`] ?? "",
    });
  }
  const wrong = mismatches(versions, contracts);
  if (wrong.length > 0) throw new Fault(["these releases do not fit together:", ...wrong].join("\n  "));

  const known = await readDigests(join(folder, DIGESTS));
  const others = changed(known, digests, join(folder, DIGESTS));
  if (others.length > 0)
    throw new Fault(["these files differ from those downloaded before:", ...others].join("\n  "));

  if (base !== into) await cp(base, into, { recursive: true });
  await mkdir(folder, { recursive: true });
  for (const { name, text } of manifests) writeWhole(join(folder, name), text);
  writeWhole(join(folder, DIGESTS), digestsText({ ...known, ...digests }));
  return [
    ...manifests.map(
      ({ name, objects, digest }) => `${join(folder, name)}: ${objects} objects, sha256:${digest}`,
    ),
    `${join(folder, DIGESTS)} has their digests; compare them with upstream's, and keep the file`,
    ...(hasUnknownNeeds(versions)
      ? [
          `CAPO ${versions.openstack}: it is not known with which releases it was tested; only its contract fits`,
        ]
      : []),
    "cert-manager must run on the cluster first: it creates the certificates of their webhooks",
  ];
}

/** The location of a release's file: `<from>/<provider>/<version>/<file>`, or its upstream URL. */
function placeOf({ provider, project }: ReleaseFile, version: string, file: string, from?: string): string {
  if (from === undefined) return `${UPSTREAM[project]}/${version}/${file}`;
  return `${from.replace(/\/+$/, "")}/${provider}/${version}/${file}`;
}

async function readReleased(place: string): Promise<Buffer> {
  if (!/^https?:\/\//.test(place)) {
    return readFile(place).catch((error: NodeJS.ErrnoException) => {
      throw new Fault(`${place} cannot be read: ${error.code ?? error.message}`);
    });
  }
  try {
    const response = await fetch(place, { signal: AbortSignal.timeout(120_000) });
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    throw new Fault(`the response for ${place} has status ${response.status}`);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { cause, message } = error as Error & { cause?: Error & { code?: string } };
    throw new Fault(`${place} cannot be read: ${cause?.code ?? cause?.message ?? message}`);
  }
}

/** The number of objects in a manifest. @throws Fault if it is no manifest, such as the page of a login */
function countObjects(place: string, text: string): number {
  const faults: ManifestFault[] = [];
  const objects = readManifests({ read: () => Buffer.from(text) }, [place], faults);
  const [first] = faults;
  if (first !== undefined) throw new Fault(faultLine(first));
  if (objects.length === 0) throw new Fault(`${place} does not contain a Kubernetes object`);
  return objects.length;
}
