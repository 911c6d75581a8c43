/**
 * Runs before the deletion of a controller that creates volumes or load balancers in the cloud. It waits until the
 * controller has deleted the volumes of deleted PVCs. If the cluster is deleted too, it also deletes the remaining
 * Services of type LoadBalancer, because their load balancers would stay otherwise, and lists the volumes that stay in
 * the cloud. Standard input has the credentials and the purpose of the controller, as JSON. Progress is written to
 * standard error, an error to standard output.
 */
import { printable } from "../../../base/printable";
import { Missing, untilDone } from "../../../base/until";
import { deletionOf } from "../../../kube/client/deletion";
import { ApiError, isPassing, KubeApi, Unreachable, type Access } from "../../../kube/client/kube-api";
import { objectsAt } from "../../../kube/client/read";
import { claimOf, isReclaimed } from "../../../kube/client/volumes";
import { readInput, startProgram } from "../../../run/program";

const PAUSE_MS = 1000;

/**
 * Purpose of a controller. `balances`: true if its load balancers are deleted with the cluster. `drivers`: names of its
 * CSI drivers. `isLast`: true if the cluster may be deleted in the same run.
 */
type Controller = { balances: boolean; drivers: string[]; isLast: boolean };
type Input = Controller & { access: Access; seconds: number };

async function cleanUp({ access, seconds, ...controller }: Input) {
  const api = new KubeApi(access);
  const ask = async () => {
    const left = await leftOf(api, controller);
    return left.length === 0 ? undefined : new Missing(left.join("\n"));
  };
  const left = await untilDone(ask, { seconds, pauseMs: PAUSE_MS, passes: isPassing, report: printProgress });
  if (left) throw new Error(`${left.text}\nwaited ${seconds} s for it to be deleted`);
  if (controller.isLast && controller.drivers.length > 0) await reportVolumes(api, controller.drivers);
}

/** Describes the remaining load balancers and volumes; deletes those that nothing else deletes. */
async function leftOf(api: KubeApi, { balances, drivers }: Controller) {
  try {
    return [
      ...(balances ? await balancersOf(api) : []),
      ...(drivers.length > 0 ? await volumesOf(api, drivers) : []),
    ];
  } catch (error) {
    // the same setting has the Kubernetes provider treat the cluster as deleted
    if (error instanceof Unreachable && process.env["PULUMI_K8S_DELETE_UNREACHABLE"] === "true") return [];
    throw error;
  }
}

async function balancersOf(api: KubeApi): Promise<string[]> {
  const services = await objectsAt(api, "/api/v1/services");
  const left = [];
  for (const service of services.filter(({ spec }) => spec.type === "LoadBalancer")) {
    const { namespace, name, uid, deletionTimestamp } = service.metadata;
    if (deletionTimestamp === undefined) {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/services/${encodeURIComponent(name)}`;
      await api.delete(path, uid).catch(unlessGone);
      printProgress(
        `Service ${namespace}/${name} is deleted because of its load balancer, which nothing would delete later`,
      );
    }
    left.push(`Service ${namespace}/${name} ${deletionOf(service) ?? "is being deleted"}`);
  }
  return left;
}

async function volumesOf(api: KubeApi, drivers: readonly string[]): Promise<string[]> {
  // in this order, as a claim exists before its volume
  const volumes = await objectsAt(api, "/api/v1/persistentvolumes");
  const bound = await objectsAt(api, "/api/v1/persistentvolumeclaims");
  const claims = new Set(bound.map(({ metadata }) => metadata.uid));
  return volumes
    .filter((volume) => isReclaimed(volume, { drivers, claims }))
    .map((volume) => {
      const { phase, message } = volume.status ?? {};
      const name = `PersistentVolume ${volume.metadata.name} of the PVC ${claimOf(volume)}`;
      return `${name} still exists: ${message ?? phase}`;
    });
}

async function reportVolumes(api: KubeApi, drivers: readonly string[]) {
  for (const volume of await objectsAt(api, "/api/v1/persistentvolumes").catch(() => [])) {
    const { csi, capacity } = volume.spec;
    if (drivers.includes(csi?.driver))
      printProgress(
        `volume ${csi.volumeHandle} (${capacity?.storage}) of the PVC ${claimOf(volume)} stays in the cloud`,
      );
  }
}

function unlessGone(error: unknown) {
  if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error;
}

function printProgress(line: string) {
  process.stderr.write(printable(`${line}\n`));
}

startProgram(async () => cleanUp(readInput()), process.stdout);
