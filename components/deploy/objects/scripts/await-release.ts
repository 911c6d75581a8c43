/**
 * Waits until the objects of a Helm release are ready, and reports the reason for those that are not in time; with the
 * argument `delete` it waits until they are deleted. Standard input has the credentials and the objects. Progress is
 * written to standard error, the result to standard output.
 */
import { printable } from "../../../base/printable";
import { Missing, untilDone } from "../../../base/until";
import { deletionOf } from "../../../kube/client/deletion";
import { ApiError, isPassing, KubeApi, type Access } from "../../../kube/client/kube-api";
import { objectAt } from "../../../kube/client/read";
import type { Until } from "../../../kube/client/status";
import { awaitReady } from "../../../kube/client/wait";
import { pathOf, UnknownKind, type Whereabouts } from "../../../kube/client/whereabouts";
import { readInput, startProgram } from "../../../run/program";

const PAUSE_MS = 1000;

type Awaited = { shown: string; until: Until; path?: string; custom: Whereabouts };
type Leaving = Whereabouts & { shown: string };
type Common = { access: Access; seconds: number };

/** Reports the errors of all objects. */
async function allReady({ access, seconds, objects }: Common & { objects: Awaited[] }) {
  const ends = objects.map(({ shown: name, ...object }) => awaitReady({ access, seconds, name, ...object }));
  await faultsOf(ends);
}

async function allGone({ access, seconds, objects }: Common & { objects: Leaving[] }) {
  const api = new KubeApi(access);
  await faultsOf(objects.map((object) => gone(api, object, seconds)));
}

async function gone(api: KubeApi, object: Leaving, seconds: number) {
  const ask = async () => {
    try {
      const found = await objectAt(api, await pathOf(api, object));
      return new Missing(deletionOf(found) ?? "still exists");
    } catch (error) {
      if (error instanceof UnknownKind || (error instanceof ApiError && error.status === 404)) return;
      throw error;
    }
  };
  const report = (left: string) => void process.stderr.write(printable(`${object.shown} ${left}\n`));
  const left = await untilDone(ask, { seconds, pauseMs: PAUSE_MS, passes: isPassing, report });
  if (left) throw new Error(`${object.shown} still exists after ${seconds} s: ${left.text}`);
}

async function faultsOf(ends: readonly Promise<void>[]) {
  const faults = (await Promise.allSettled(ends)).flatMap((end) =>
    end.status === "rejected" ? [end.reason.message] : [],
  );
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

async function main() {
  const act = process.argv[2] === "delete" ? allGone : allReady;
  await act(readInput());
}

startProgram(main, process.stdout);
