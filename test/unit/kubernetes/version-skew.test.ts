/** The rules of https://kubernetes.io/releases/version-skew-policy, by its examples and for all versions. */
import {
  isUpgradable,
  kubeadmMakes,
  kubeletProblem,
  minorsAfter,
  tooOldProblem,
  versionBetween,
} from "../../../components/kube/cluster/version-skew";
import { isBefore, parseVersion, type Version } from "../../../components/kube/cluster/version";

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
}

test.each([
  ["v1.33.0", "v1.33.9", undefined],
  ["v1.33.9", "v1.34.0", undefined],
  ["v1.33.0", "v1.35.0", "v1.34"],
  ["v1.31.4", "v1.37.1", "v1.32"],
  ["v1.34.0", "v1.32.0", undefined],
])("a control plane goes from %s to %s by %s", (from, to, between) => {
  expect(versionBetween(version(from), version(to))).toBe(between);
});

test.each([
  ["v1.33.0", "v1.33.0", undefined],
  ["v1.33.0", "v1.33.1", undefined],
  ["v1.33.1", "v1.33.0", "newer"],
  ["v1.34.0", "v1.33.9", "newer"],
  ["v1.30.0", "v1.33.9", undefined],
  ["v1.29.9", "v1.33.0", "too old"],
] as const)("kubelet %s with kube-apiserver %s is %s", (kubelet, apiServer, problem) => {
  expect(kubeletProblem(version(kubelet), version(apiServer))).toBe(problem);
});

test.each([
  ["v1.31.14", false],
  ["v1.32.0", true],
])("a cluster is upgraded to %s: %s", (to, is) => {
  expect(isUpgradable(version(to))).toBe(is);
});

const WAY_OUT =
  "use one of these, and an image of it. An existing cluster of an older version can be used as a vim";
const OF_KUBEADM = "kubeadm has the API v1beta4, which vnfm uses, in v1.31.0 and newer";
const OF_CLUSTER_API = "Cluster API's kubeadm provider creates v1.22.0 and newer";

test.each([
  ["v1.16.0", "kubeadm", `v1.16.0 is too old: ${OF_KUBEADM}; ${WAY_OUT}`],
  ["v1.30.99", "kubeadm", `v1.30.99 is too old: ${OF_KUBEADM}; ${WAY_OUT}`],
  ["v1.31.0", "kubeadm", undefined],
  ["v1.99.0", "kubeadm", undefined],
  [undefined, "kubeadm", undefined],
  ["v1.21.14", "cluster-api", `v1.21.14 is too old: ${OF_CLUSTER_API}; ${WAY_OUT}`],
  ["v1.22.0", "cluster-api", undefined],
  ["v1.30.0", "cluster-api", undefined],
] as const)("a cluster of %s, created by %s, has the problem %s", (wanted, maker, problem) => {
  expect(tooOldProblem(wanted, maker)).toBe(problem);
});

test.each([
  ["v1.33.0", "v1.33.4", true],
  ["v1.33.4", "v1.34.0", false],
  ["v1.34.0", "v1.33.4", false],
])("kubeadm %s makes masters of %s: %s", (kubeadm, wanted, makes) => {
  expect(kubeadmMakes(version(kubeadm), version(wanted))).toBe(makes);
});

describe("of any two versions", () => {
  const all = Array.from({ length: 12 }, (_, i) => 28 + i).flatMap((minor) =>
    [0, 1, 10].map((patch): Version => ({ minor, patch })),
  );
  const pairs = all.flatMap((one) => all.map((other) => [one, other] as const));

  it("a control plane reaches the later one by each minor version between them, and no other", () => {
    for (const [from, to] of pairs) {
      const passed = [];
      let at = from;
      for (let next = versionBetween(at, to); next !== undefined; next = versionBetween(at, to)) {
        passed.push(next);
        at = version(`${next}.0`);
      }
      const between = Array.from(
        { length: Math.max(0, to.minor - from.minor - 1) },
        (_, i) => `v1.${from.minor + 1 + i}`,
      );
      expect(passed).toEqual(between);
    }
  });

  it("a kubelet works with its own API server until that is four minor versions on", () => {
    for (const [kubelet, apiServer] of pairs) {
      const after = minorsAfter(apiServer, kubelet);
      const expected = isBefore(apiServer, kubelet) ? "newer" : after >= 4 ? "too old" : undefined;
      expect(kubeletProblem(kubelet, apiServer)).toBe(expected);
    }
  });

  it("one upgrade of the control plane never makes a kubelet newer, and never too old if it was two behind", () => {
    for (const [from, to] of pairs) {
      if (isBefore(to, from) || versionBetween(from, to) !== undefined) continue;
      for (const kubelet of all) {
        if (kubeletProblem(kubelet, from) !== undefined || minorsAfter(from, kubelet) > 2) continue;
        expect(kubeletProblem(kubelet, to)).toBeUndefined();
      }
    }
  });
});
