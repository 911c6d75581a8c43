/**
 * Waits until an object is ready. After the time limit the error contains the reason. Progress goes to standard error.
 */
import { printable } from "../../base/printable";
import { Missing, untilDone } from "../../base/until";
import { growClaims } from "./claims";
import { gather } from "./gather";
import { Hopeless } from "./hopeless";
import { ApiError, isPassing, KubeApi, type Access } from "./kube-api";
import { objectAt } from "./read";
import { finalReasons, presentReasons, withoutNumbers } from "./reasons";
import { isFinal, isOfClusterApi, isPaused, readinessKind, objectStatus, type Until } from "./status";
import { pathOf, UnknownKind, type Whereabouts as Custom } from "./whereabouts";

/**
 * Limit of the printed progress in bytes: the next run gets it in one environment variable, which can contain 128 KiB.
 */
const MAX_PROGRESS_BYTES = 64 * 1024;
/** Pauses between queries in milliseconds; the first are short, because many objects are ready soon. */
const PAUSES = { firstPauseMs: 200, pauseMs: 2_000 };

/** Input of a wait: the path of the object, or for a custom kind, whose path is not known, its kind and name. */
export interface Input {
  readonly access: Access;
  readonly name: string;
  readonly until: Until;
  readonly seconds: number;
  readonly path?: string;
  readonly custom: Custom;
}

export async function awaitReady({ access, path, custom, name, until, seconds }: Input) {
  const api = new KubeApi(access);
  /** The object of the last query. */
  let object: any;
  const ask = async () => {
    object = undefined;
    try {
      path ??= await pathOf(api, custom);
      object = await objectAt(api, path);
      const status = objectStatus(object, until);
      if (status.status === "Current" || (await waitsForConsumer(api, object))) return;
      if (isFinal(object, status)) throw new Error(await failure(api, object, `${name}: ${status.message}`));
      return new Missing(status.message);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) throw new Error(`${name} no longer exists`);
      throw error;
    }
  };
  const hopeless = new Hopeless();
  const begin = Date.now();
  let lastReport = "";
  let reportedBytes = 0;
  const report = async (missing: string) => {
    if (object === undefined) return;
    const found = isOfClusterApi(until) ? undefined : await gather(api, object, false);
    const reasons = found === undefined ? `${name}: ${missing}` : presentReasons(found).join("\n");
    const alike = withoutNumbers(reasons);
    if (reasons !== "" && alike !== lastReport && reportedBytes < MAX_PROGRESS_BYTES) {
      process.stderr.write(printable(`${reasons}\n`));
      reportedBytes += Buffer.byteLength(reasons);
    }
    lastReport = alike;
    if (found === undefined || !hopeless.isSeenIn(found.pods, Date.now())) return;
    const after = Math.round((Date.now() - begin) / 1000);
    const headline = `${name} is not ${until} after ${after} s, and cannot be as it is: ${missing}`;
    throw new Error(await failure(api, object, headline));
  };
  const passes = (error: unknown) => error instanceof UnknownKind || isPassing(error);
  const missing = await untilDone(ask, { seconds, ...PAUSES, passes, report });
  if (missing) {
    const headline = `${name} is not ${until} after ${seconds} s: ${missing.text}`;
    throw new Error(object === undefined ? headline : await failure(api, object, headline));
  }
  if (isPaused(object))
    process.stderr.write(printable(`${name} is not waited for; ${objectStatus(object, until).message}\n`));
  const grown = await growClaims(api, object);
  process.stderr.write(printable(grown.map((line) => `${line}\n`).join("")));
}

/** Returns true for a PVC whose storage class binds a volume only when a first pod mounts it. */
export async function waitsForConsumer(api: KubeApi, object: any) {
  const { spec } = object;
  if (readinessKind(object) !== "PersistentVolumeClaim" || !spec.storageClassName) return false;
  const path = `/apis/storage.k8s.io/v1/storageclasses/${encodeURIComponent(spec.storageClassName)}`;
  const found = await objectAt(api, path).catch(() => ({}));
  return found.volumeBindingMode === "WaitForFirstConsumer";
}

async function failure(api: KubeApi, object: any, headline: string) {
  const found = await gather(api, object, true);
  const reasons = finalReasons(found);
  const namespace = object.metadata.namespace ?? "default";
  const unknown = [
    readinessKind(object) === ""
      ? `see the events of namespace ${namespace}, and the log of its controller`
      : `nothing on the cluster shows why; see the events of namespace ${namespace}`,
  ];
  return [
    headline,
    ...(reasons.length === 0 ? unknown : reasons),
    ...found.unread.map((what) => `not read: ${what}`),
  ].join("\n");
}
