import { Hopeless } from "../../../components/kube/client/hopeless";

const pod = (reason: string, message?: string, name = "web-1") => ({
  kind: "Pod",
  metadata: { name, uid: `uid of ${name}` },
  status: { containerStatuses: [{ name: "web", state: { waiting: { reason, message } } }] },
});
const NOT_FOUND =
  'failed to resolve reference "docker.io/library/web:no": docker.io/library/web:no: not found';

/** The first second at which it is hopeless, where the pod says one thing after the other every ten seconds, and again the last one. */
function endOf(...pods: readonly object[]): number | undefined {
  const hopeless = new Hopeless();
  const seconds = Array.from({ length: 60 }, (_, i) => i * 10);
  return seconds.find((second, i) =>
    hopeless.isSeenIn([pods[Math.min(i, pods.length - 1)]].filter(Boolean), second * 1000),
  );
}

it.each([
  ["InvalidImageName", "couldn't parse image name", 60],
  ["ErrImagePull", NOT_FOUND, 60],
  ["ImagePullBackOff", `Back-off pulling image "web:no": ErrImagePull: ${NOT_FOUND}`, 60],
  ["ErrImagePull", "pull access denied, repository does not exist or may require authorization", 60],
  ["ErrImagePull", "dial tcp: lookup registri.example on 10.96.0.10:53: no such host", 60],
  ["CreateContainerConfigError", 'secret "db" not found', 180],
  ["ErrImagePull", "dial tcp 192.0.2.1:443: i/o timeout", undefined],
  ["ImagePullBackOff", 'Back-off pulling image "web:no"', undefined],
  ["CrashLoopBackOff", "back-off 10s restarting failed container", undefined],
  ["ContainerCreating", "", undefined],
])("a container that waits with %s: %s is given up after %p s", (reason, message, seconds) => {
  expect(endOf(pod(reason, message))).toBe(seconds);
});

it("the wait counts the pauses between two tries, of which an older kubelet does not say why", () => {
  const inTurns = Array.from({ length: 30 }, (_, i) =>
    i % 2 === 0 ? pod("ErrImagePull", NOT_FOUND) : pod("ImagePullBackOff", 'Back-off pulling image "web:no"'),
  );
  expect(endOf(...inTurns)).toBe(60);
});

it("the wait begins anew with another pod, and with a container that could start in between", () => {
  const bad = pod("InvalidImageName");
  expect(endOf(bad, bad, bad, pod("InvalidImageName", "", "web-2"))).toBe(90);
  expect(endOf(bad, bad, bad, pod("ContainerCreating"), bad)).toBe(100);
});
