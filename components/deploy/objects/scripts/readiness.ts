/**
 * Prints as JSON which of some objects of a cluster are not ready now, with the reason of each. Standard input has the
 * credentials and the objects.
 */
import { gather } from "../../../kube/client/gather";
import { ApiError, KubeApi, type Access } from "../../../kube/client/kube-api";
import { objectAt } from "../../../kube/client/read";
import { presentReasons } from "../../../kube/client/reasons";
import { isOfClusterApi, isPaused, objectStatus, type Until } from "../../../kube/client/status";
import { waitsForConsumer } from "../../../kube/client/wait";
import { pathOf, UnknownKind, type Whereabouts } from "../../../kube/client/whereabouts";
import { readInput, startProgram } from "../../../run/program";

export type Awaited = { name: string; until: Until; path?: string; custom: Whereabouts };

/** @returns an empty text for a ready object */
async function problemOf(api: KubeApi, { name, until, path, custom }: Awaited): Promise<string> {
  try {
    const object = await objectAt(api, path ?? (await pathOf(api, custom)));
    const { status, message } = objectStatus(object, until);
    if (isPaused(object)) return `${name} is ${message}`;
    const isReady = status === "Current" || (await waitsForConsumer(api, object));
    if (isReady) return "";
    const reasons = isOfClusterApi(until) ? [] : presentReasons(await gather(api, object, false));
    return [`${name} is not ${until}: ${message}`, ...reasons].join("; ");
  } catch (error) {
    if (error instanceof UnknownKind || (error instanceof ApiError && error.status === 404))
      return `${name} no longer exists`;
    throw error;
  }
}

async function main() {
  const { access, objects } = readInput<{ access: Access; objects: Awaited[] }>();
  const api = new KubeApi(access);
  const problems = await Promise.all(objects.map((object) => problemOf(api, object)));
  process.stdout.write(JSON.stringify(problems));
}

startProgram(main);
