import { posix } from "node:path";
import type { Place } from "../../base/findings";
import { readManifests, type ManifestObject } from "../../kube/manifests/manifests";
import { at, shown, text, type KubeObject } from "../../kube/objects/object";
import { oneOf } from "../../base/nearest";
import type { PvRegistration } from "../../settings/model";
import { faultLine, type Fault } from "../../vnfd/model";
import type { ClusterContext } from "./context";
import { checkConnectionPoint } from "../servers/connection-point";
import type { PlannedExport, PlannedPersistentVolume } from "./model";
import type { PlannedServer } from "../servers/model";
import { isUnder } from "./paths";
import { readTextFile } from "./text-file";

/** Arguments of planPersistentVolumes in addition to the operator's parameters. */
export interface StorageContext extends Pick<ClusterContext, "place" | "flavour" | "readText"> {
  readonly server: PlannedServer;
  /** The default connection point of the server for registrations that name none. */
  readonly connectionPoint: string;
  readonly exports: readonly PlannedExport[];
}

/** The PersistentVolumes of a cluster's storage server, from manifests. */
export function planPersistentVolumes(
  registrations: readonly PvRegistration[],
  context: StorageContext,
): PlannedPersistentVolume[] {
  const written = new Map<string, string>();
  return registrations.flatMap(({ pv_manifest_file_path: file, nfs_server_cp: own }, i) => {
    const place = context.place.get("pv_registration_params", i);
    if (own !== undefined) {
      checkConnectionPoint(own, place.get("nfs_server_cp"), context.server.vdu.id, context.flavour);
    }
    const connectionPoint = own ?? context.connectionPoint;
    return objectsOf(file, place.get("pv_manifest_file_path"), context).map(({ object, document }) => {
      const name = object.metadata.name ?? "";
      const problem = problemOf(object, written.get(name), context.exports);
      if (problem !== undefined) {
        place.get("pv_manifest_file_path").fault(`${file}, document ${document}: ${problem}`);
      }
      if (isVolume(object)) written.set(name, file);
      return { name, object, connectionPoint };
    });
  });
}

function isVolume({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === "v1" && kind === "PersistentVolume";
}

/** @param before an earlier file with a volume of the same name */
function problemOf(
  object: KubeObject,
  before: string | undefined,
  exports: readonly PlannedExport[],
): string | undefined {
  if (!isVolume(object)) return `${shown(object)} is not a PersistentVolume`;
  if (text(object.metadata.name) === undefined) {
    return "has no metadata.name; generateName would register a new one with each update";
  }
  if (before !== undefined) return `${shown(object)} is already in ${before}; remove one of the two`;
  const path = text(at(object, "spec", "nfs", "path"));
  if (path === undefined) {
    return `${shown(object)} has no spec.nfs.path; only volumes of the storage server are registered`;
  }
  const exported = exports.map(({ directory }) => directory);
  if (exported.some((directory) => isUnder(posix.normalize(path), directory))) return undefined;
  return `${shown(object)} is at ${path}, which is not exported; ${oneOf([...new Set(exported)])}`;
}

function objectsOf(file: string, place: Place, context: StorageContext): readonly ManifestObject[] {
  const manifest = readTextFile(file, place, context);
  if (manifest === undefined) return [];
  const wrong: Fault[] = [];
  const objects = readManifests({ read: () => Buffer.from(manifest) }, [file], wrong);
  for (const fault of wrong) place.fault(faultLine(fault));
  if (objects.length === 0 && wrong.length === 0) place.fault(`${file} contains no PersistentVolume`);
  return objects;
}
