import { growClaims } from "../../../components/kube/client/claims";
import { ApiError, type KubeApi } from "../../../components/kube/client/kube-api";

const CLAIMS = "/api/v1/namespaces/web/persistentvolumeclaims";
const CLASSES = "/apis/storage.k8s.io/v1/storageclasses";
const claim = (storage: string, storageClassName?: string, name = "data-db-0") => ({
  metadata: { name },
  spec: { resources: { requests: { storage } }, ...(storageClassName && { storageClassName }) },
});

/** A StatefulSet of two pods whose manifest wants claims of a size. */
const statefulSet = (storage: string) => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db", namespace: "web" },
  spec: { replicas: 2, volumeClaimTemplates: [claim(storage, undefined, "data")] },
});

/** An API with these claims and storage classes, and what was asked of it to change. */
function api(
  items: readonly unknown[],
  classes: Record<string, object>,
  refusal?: string,
): { api: KubeApi; patched: unknown[] } {
  const patched: unknown[] = [];
  const get = (path: string) => {
    if (path === CLAIMS) return Promise.resolve({ items });
    const found = classes[path.replace(`${CLASSES}/`, "")];
    return found === undefined
      ? Promise.reject(new ApiError(404))
      : Promise.resolve({ ...found, metadata: {} });
  };
  const patch = (path: string, change: object[]) => {
    patched.push([path, change]);
    return refusal === undefined ? Promise.resolve({}) : Promise.reject(new ApiError(403, refusal));
  };
  return { api: { get, patch } as unknown as KubeApi, patched };
}

describe("the claims of a StatefulSet", () => {
  test("grow to the size of the manifest where their storage class lets them", async () => {
    const claims = [
      claim("1Gi", "fast"),
      claim("2Gi", "fast", "data-db-1"),
      // of a pod that is no more, of another StatefulSet, and of nobody
      ...["data-db-2", "data-db-x-0", "data-db-", "other"].map((name) => claim("1Gi", "fast", name)),
    ];
    const { api: it, patched } = api(claims, { fast: { allowVolumeExpansion: true } });
    expect(await growClaims(it, statefulSet("2Gi"))).toEqual([
      "PersistentVolumeClaim web/data-db-0 grows from 1Gi to 2Gi",
    ]);
    expect(patched).toEqual([
      [`${CLAIMS}/data-db-0`, [{ op: "replace", path: "/spec/resources/requests/storage", value: "2Gi" }]],
    ]);
  });

  test.each([
    [
      "of a class without expansion",
      claim("1Gi", "fixed"),
      "2Gi",
      "keeps its 1Gi, not the 2Gi of the manifest: StorageClass fixed has no allowVolumeExpansion; to get the new size, save its data, delete the PVC and the pod that mounts it",
    ],
    [
      "of no class",
      claim("1Gi"),
      "2Gi",
      "keeps its 1Gi, not the 2Gi of the manifest: it has no StorageClass that allows expansion; to get the new size, save its data, delete the PVC and the pod that mounts it",
    ],
    [
      "that would shrink",
      claim("2Gi", "fast"),
      "1024Mi",
      "keeps its 2Gi, not the 1024Mi of the manifest: a PVC cannot shrink",
    ],
    [
      "whose growth the API refuses",
      claim("1Gi", "fast"),
      "2Gi",
      "keeps its 1Gi, not the 2Gi of the manifest: the Kubernetes API rejects it with 403: not bound",
    ],
  ])("keep their size and say why: one %s", async (_, first, wanted, expected) => {
    const classes = { fast: { allowVolumeExpansion: true }, fixed: {} };
    const { api: it } = api([first], classes, "not bound");
    expect(await growClaims(it, statefulSet(wanted))).toEqual([
      `PersistentVolumeClaim web/data-db-0 ${expected}`,
    ]);
  });

  test("are asked for once, however many pods it has", async () => {
    const { api: it } = api([], {});
    const many = statefulSet("1Gi");
    expect(await growClaims(it, { ...many, spec: { ...many.spec, replicas: 1e12 } })).toEqual([]);
  });

  test("are none of another kind", async () => {
    expect(await growClaims({} as KubeApi, { ...statefulSet("1Gi"), kind: "Deployment" })).toEqual([]);
  });
});
