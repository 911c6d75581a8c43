import { readManifests, type ManifestObject } from "../cnf/manifests";
import { at, shown, text } from "../cnf/object";
import { didYouMean, oneOf } from "../nearest";
import type { PvRegistration } from "../settings/model";
import { faultLine, type Fault } from "../vnfd/model";
import type { ClusterContext } from "./cluster";
import type { PlannedExport, PlannedPersistentVolume, PlannedServer } from "./model";
import { isUnder } from "./paths";

/** What planPersistentVolumes needs besides the operator's parameters. */
export interface StorageContext extends Pick<ClusterContext, "path" | "readText"> {
  readonly server: PlannedServer;
  readonly exports: readonly PlannedExport[];
}

/** The PersistentVolumes of a cluster's storage server, from manifests. Appends what is wrong to `faults`. */
export function planPersistentVolumes(
  registrations: readonly PvRegistration[],
  context: StorageContext,
  faults: string[],
): PlannedPersistentVolume[] {
  const written = new Map<string, string>();
  return registrations.flatMap(({ pv_manifest_file_path: file, nfs_server_cp: connectionPoint }, i) => {
    const path = `${context.path}.pv_registration_params[${i}]`;
    const known = context.server.ports.map((port) => port.connectionPoint);
    if (!known.includes(connectionPoint)) {
      faults.push(
        `${path}.nfs_server_cp: "${connectionPoint}" is no connection point of VDU ${context.server.vdu.id}; ${oneOf(known)}${didYouMean(connectionPoint, known)}`,
      );
    }
    return objectsOf(file, `${path}.pv_manifest_file_path`, context, faults).map(({ object, document }) => {
      const fault = (message: string) => {
        faults.push(`${path}.pv_manifest_file_path: ${file}, document ${document}: ${message}`);
      };
      const name = object.metadata.name ?? "";
      const before = written.get(name);
      if (before !== undefined) fault(`${shown(object)} is in ${before} already; leave one of the two`);
      written.set(name, file);
      const nfsPath = text(at(object, "spec", "nfs", "path"));
      if (object.apiVersion !== "v1" || object.kind !== "PersistentVolume") {
        fault(`${shown(object)} is no PersistentVolume`);
      } else if (name === "") {
        fault("has no metadata.name; generateName would register a new one with each run");
      } else if (nfsPath === undefined) {
        fault(`${shown(object)} has no spec.nfs.path; only volumes of the storage server are registered`);
      } else if (!context.exports.some(({ directory }) => isUnder(nfsPath, directory))) {
        const exported = context.exports.map(({ directory }) => directory);
        fault(`${shown(object)} is at ${nfsPath}, which is not exported; ${oneOf([...new Set(exported)])}`);
      }
      return { name, object, connectionPoint };
    });
  });
}

function objectsOf(
  file: string,
  path: string,
  { readText }: StorageContext,
  faults: string[],
): readonly ManifestObject[] {
  const manifest = readText(file);
  if (manifest === undefined) {
    faults.push(`${path}: ${file} is neither in the package nor beside Pulumi.yaml`);
    return [];
  }
  const wrong: Fault[] = [];
  const objects = readManifests({ read: () => Buffer.from(manifest) }, [file], wrong);
  faults.push(...wrong.map((fault) => `${path}: ${faultLine(fault)}`));
  if (objects.length === 0 && wrong.length === 0)
    faults.push(`${path}: ${file} has no PersistentVolume in it`);
  return objects;
}
