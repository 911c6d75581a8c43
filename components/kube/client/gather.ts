/** Reads the objects of a cluster that explain why an object is not ready. */
import type { KubeApi } from "./kube-api";
import { objectAt, objectsAt } from "./read";
import { isCrash, isUnbound, unready, type ObjectContext } from "./reasons";
import { readinessKind } from "./status";

/** Number of pods whose events and logs are read; others mostly have the same problems. */
const MAX_PODS = 3;

/**
 * Reads the objects that explain an object's status. Those that the account may not read are listed in `unread`.
 * @param object object from the API, with apiVersion and kind
 * @param closely true to read events and logs, too
 */
export async function gather(
  api: KubeApi,
  object: any,
  closely: boolean,
): Promise<ObjectContext & { unread: string[] }> {
  const kind = readinessKind(object);
  const unread: string[] = [];
  const attempt = <T>(what: string, answer: Promise<T>, otherwise: T): Promise<T> =>
    answer.catch((error) => {
      unread.push(`${what}: ${error.message}`);
      return otherwise;
    });
  // events of cluster-scoped objects are in this namespace
  const { namespace = "default" } = object.metadata;
  const core = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  const list = async (path: string, of: string): Promise<any[]> =>
    // the items of a list have no kind
    (await attempt(`${of}s`, objectsAt(api, path), [])).map((member) => ({ ...member, kind: of }));

  const replicaSet =
    kind === "Deployment"
      ? newest(
          await list(
            core.replace("/api/v1", "/apis/apps/v1") + `/replicasets${selected(object)}`,
            "ReplicaSet",
          ),
          object,
        )
      : undefined;
  const pods =
    kind === "Pod"
      ? [object]
      : ["", "PersistentVolumeClaim"].includes(kind) || (kind === "Deployment" && replicaSet === undefined)
        ? []
        : ownedBy(await list(`${core}/pods${selected(object)}`, "Pod"), replicaSet ?? object);
  const found: ObjectContext & { unread: string[] } = {
    object,
    replicaSet,
    pods,
    claims: [],
    volumes: [],
    events: {},
    logs: {},
    unread,
  };
  const close = unready(pods).slice(0, MAX_PODS);
  const names = close.flatMap(({ spec }) =>
    (spec.volumes ?? []).flatMap((volume: any) => volume.persistentVolumeClaim?.claimName ?? []),
  );
  found.claims = kind === "PersistentVolumeClaim" ? [object] : [];
  for (const name of new Set(names)) {
    const claim = await objectAt(api, `${core}/persistentvolumeclaims/${encodeURIComponent(name)}`).catch(
      () => undefined,
    );
    // the pod reports a missing PVC
    if (claim !== undefined) found.claims.push(claim);
  }
  if (found.claims.some(isUnbound))
    found.volumes = await list("/api/v1/persistentvolumes", "PersistentVolume");
  if (!closely) return found;

  for (const { metadata } of [object, replicaSet, ...close, ...found.claims].filter(Boolean)) {
    const query = `?limit=100&fieldSelector=${encodeURIComponent(`involvedObject.uid=${metadata.uid}`)}`;
    found.events[metadata.uid] ??= await list(`${core}/events${query}`, "Event");
  }
  for (const { metadata, status } of close) {
    for (const container of [
      ...(status?.initContainerStatuses ?? []),
      ...(status?.containerStatuses ?? []),
    ]) {
      if (!isCrash(container)) continue;
      const previous = container.state?.terminated === undefined;
      const query = `?container=${encodeURIComponent(container.name)}&previous=${previous}&tailLines=5&limitBytes=4000`;
      const log = await attempt(
        "logs",
        api.text(`${core}/pods/${encodeURIComponent(metadata.name)}/log${query}`),
        "",
      );
      if (log !== "") found.logs[`${metadata.name}/${container.name}`] = log;
    }
  }
  return { ...found, unread: [...new Set(unread)] };
}

/** Returns a query for the objects that this object selects. It may return more: their owners are compared later. */
function selected({ kind, spec }: any) {
  const labels = Object.entries<string>(
    (kind === "ReplicationController" ? spec.selector : spec.selector?.matchLabels) ?? {},
  );
  if (labels.length === 0) return "";
  return `?labelSelector=${encodeURIComponent(labels.map(([key, value]) => `${key}=${value}`).join(","))}`;
}

function ownedBy(members: any[], owner: any): any[] {
  return members.filter(({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ uid }: any) => uid === owner.metadata.uid),
  );
}

/** The ReplicaSet of a Deployment's current revision. */
function newest(replicaSets: any[], deployment: any) {
  const revision = ({ metadata }: any) =>
    Number(metadata.annotations?.["deployment.kubernetes.io/revision"] ?? 0);
  return ownedBy(replicaSets, deployment).sort((a, b) => revision(b) - revision(a))[0];
}
