/**
 * Runs before a controller goes that makes volumes or load balancers in the cloud. It waits until the controller has
 * deleted the volumes whose claims are gone. Where the cluster goes as well, this script also deletes the Services of type
 * LoadBalancer that are still there, because nobody would delete their load balancers later, and names the volumes that
 * stay in the cloud. Standard input has the credentials and what the controller is for, as JSON. Progress goes to
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
 * `balances`: whether load balancers of the controller go with the cluster. `drivers`: names of the CSI drivers that come
 * with it. `isLast`: whether the cluster may go in the same run.
 */
type Controller = { balances: boolean; drivers: string[]; isLast: boolean };
type Input = Controller & { access: Access; seconds: number };

async function cleanUp({ access, seconds, ...controller }: Input) {
  const api = new KubeApi(access);
  const ask = async () => {
    const left = await leftOf(api, controller);
    return left.length === 0 ? undefined : new Missing(left.join("\n"));
  };
  const left = await untilDone(ask, { seconds, pauseMs: PAUSE_MS, passes: isPassing, tell: say });
  if (left) throw new Error(`${left.text}\nwaited ${seconds} s for it to be deleted`);
  if (controller.isLast && controller.drivers.length > 0) await tellVolumes(api, controller.drivers);
}

/** What is still to go, in words; deletes what nobody else does. */
async function leftOf(api: KubeApi, { balances, drivers }: Controller) {
  try {
    return [
      ...(balances ? await balancersOf(api) : []),
      ...(drivers.length > 0 ? await volumesOf(api, drivers) : []),
    ];
  } catch (error) {
    // as the Kubernetes plugin is told that the cluster is gone
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
      say(`Service ${namespace}/${name} is deleted, for its load balancer: nobody would delete that later`);
    }
    left.push(`Service ${namespace}/${name} ${deletionOf(service) ?? "is being deleted"}`);
  }
  return left;
}

async function volumesOf(api: KubeApi, drivers: readonly string[]): Promise<string[]> {
  // in this order, as a claim is there before its volume
  const volumes = await objectsAt(api, "/api/v1/persistentvolumes");
  const bound = await objectsAt(api, "/api/v1/persistentvolumeclaims");
  const claims = new Set(bound.map(({ metadata }) => metadata.uid));
  return volumes
    .filter((volume) => isReclaimed(volume, { drivers, claims }))
    .map((volume) => {
      const { phase, message } = volume.status ?? {};
      const name = `PersistentVolume ${volume.metadata.name} of the claim ${claimOf(volume)}`;
      return `${name} is still there: ${message ?? phase}`;
    });
}

async function tellVolumes(api: KubeApi, drivers: readonly string[]) {
  for (const volume of await objectsAt(api, "/api/v1/persistentvolumes").catch(() => [])) {
    const { csi, capacity } = volume.spec;
    if (drivers.includes(csi?.driver))
      say(
        `volume ${csi.volumeHandle} (${capacity?.storage}) of the claim ${claimOf(volume)} stays in the cloud`,
      );
  }
}

function unlessGone(error: unknown) {
  if (!(error instanceof ApiError && [404, 409].includes(error.status))) throw error;
}

function say(line: string) {
  process.stderr.write(printable(`${line}\n`));
}

startProgram(async () => cleanUp(readInput()), process.stdout);
