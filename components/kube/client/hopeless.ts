/** Pure functions that detect containers that cannot start without a change of their pod. */
import { unready } from "./reasons";

/**
 * Seconds to wait in spite of each reason, because it may be temporary: an image may not be pushed yet, and a
 * controller may still create the Secret or ConfigMap of a variable.
 */
const GRACES: Readonly<Record<string, number>> = {
  InvalidImageName: 60,
  ErrImagePull: 60,
  ImagePullBackOff: 60,
  CreateContainerConfigError: 180,
};

/**
 * Messages of containerd, CRI-O and their registries for an image that does not exist, or a name that its registry
 * lacks.
 */
const NO_SUCH_IMAGE =
  /: not found|manifest unknown|name unknown|repository does not exist|no such host|invalid reference format/i;

/**
 * Measures how long a container has been unable to start. The kubelet alternates between the reason and a mere wait for
 * the next attempt.
 */
export class Hopeless {
  /** State by pod and container. */
  #seen: Map<string, { reason: string; since: number }> = new Map();

  /**
   * Returns true if a container has been unable to start for longer than the time allowed for its reason.
   * @param pods present state of the pods
   * @param now in milliseconds
   */
  isSeenIn(pods: any[], now: number) {
    const present: Map<string, { reason: string; since: number }> = new Map();
    for (const pod of unready(pods))
      for (const { name, state } of containersOf(pod)) {
        const { reason = "", message = "" } = state?.waiting ?? {};
        const key = `${pod.metadata.uid ?? pod.metadata.name}/${name}`;
        const before = this.#seen.get(key);
        const isBackOff = reason === "ImagePullBackOff" && before !== undefined;
        if (isBackOff || cannotStart(reason, message))
          present.set(key, { reason, since: before?.since ?? now });
      }
    this.#seen = present;
    return [...present.values()].some(
      ({ reason, since }) => now - since >= (GRACES[reason] ?? Infinity) * 1000,
    );
  }
}

function containersOf({ status }: any): any[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function cannotStart(reason: string, message: string) {
  switch (reason) {
    case "ErrImagePull":
    case "ImagePullBackOff":
      return NO_SUCH_IMAGE.test(message);
    default:
      return GRACES[reason] !== undefined;
  }
}
