/**
 * Shows and releases PersistentVolumes that are Released, which no claim can bind. Standard input has the credentials
 * and the names; the argument is the action:
 *   show     prints the Released ones among the volumes, as JSON
 *   release  releases them: each is free for the next claim that fits, with its data
 */
import { Missing, untilDone } from "../../../base/until";
import { ApiError, KubeApi, type Access } from "../../../kube/client/kube-api";
import { objectAt } from "../../../kube/client/read";
import { claimOf, isReleased } from "../../../kube/client/volumes";
import { readInput, startProgram } from "../../../run/program";

/** Time limit for the controller to update the volumes. */
const PATIENCE = { seconds: 30, pauseMs: 500 };

/**
 * Annotation of a volume that the controller has chosen for a PVC; without it the volume was created for a PVC of that
 * name.
 */
const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

const pathOf = (name: string) => `/api/v1/persistentvolumes/${encodeURIComponent(name)}`;

/** Reads the existing volumes among these names. */
async function read(api: KubeApi, names: string[]) {
  const found = [];
  for (const name of names) {
    const volume = await objectAt(api, pathOf(name)).catch((error) => {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    });
    if (volume !== undefined) found.push(volume);
  }
  return found;
}

async function show(api: KubeApi, names: string[]) {
  const released = (await read(api, names)).filter(isReleased);
  return JSON.stringify(released.map((volume) => ({ name: volume.metadata.name, claim: claimOf(volume) })));
}

/**
 * Releases volumes like the controller does if a PVC is deleted before it is bound. A volume that was created for a PVC
 * of one name stays reserved for that name.
 */
async function release(api: KubeApi, names: string[]) {
  for (const { metadata, spec } of (await read(api, names)).filter(isReleased)) {
    const { claimRef = {} } = spec;
    const isChosen = metadata.annotations?.[BOUND_BY_CONTROLLER] !== undefined;
    const ofClaim = ["uid", "resourceVersion"].filter((key) => claimRef[key] !== undefined);
    const gone = isChosen
      ? ["/spec/claimRef", `/metadata/annotations/${BOUND_BY_CONTROLLER.replace("/", "~1")}`]
      : ofClaim.map((key) => `/spec/claimRef/${key}`);
    await api.patch(pathOf(metadata.name), [
      { op: "test", path: "/metadata/uid", value: metadata.uid },
      { op: "test", path: "/spec/claimRef/uid", value: claimRef.uid },
      ...gone.map((path) => ({ op: "remove", path })),
    ]);
  }
  const left = await untilDone(async () => {
    const [volume] = (await read(api, names)).filter(isReleased);
    return volume && new Missing(`PersistentVolume ${volume.metadata.name} is still Released`);
  }, PATIENCE);
  if (left) throw new Error(`${left.text}: is kube-controller-manager running?`);
  return "";
}

async function main() {
  const { access, names } = readInput<{ access: Access; names: string[] }>();
  const act = process.argv[2] === "release" ? release : show;
  process.stdout.write(await act(new KubeApi(access), names));
}

startProgram(main);
