import { createHash } from "node:crypto";
import type { Cluster } from "../support/cluster";
import { etcdMemberList } from "../support/declared";
import { textOf, type Seen } from "./model";

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly type?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly labels?: object;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly Owner[];
  };
}

/** Resources that controllers create and delete all the time. */
const OF_CONTROLLERS =
  /^(events|leases|endpoints|endpointslices|certificatesigningrequests|controllerrevisions|componentstatuses|ipaddresses|nodes\.metrics|pods\.metrics)(\.|$)/;

/** Returns true for objects that change without a run: bootstrap tokens expire, and kubeadm's signatures with them. */
function flickers({ kind, type, metadata: { name } }: KubeObject): boolean {
  return type === "bootstrap.kubernetes.io/token" || (kind === "ConfigMap" && name === "cluster-info");
}

/** Observes all objects and etcd members of a cluster. */
export async function observeCluster(
  cluster: Pick<Cluster, "kubectl" | "list">,
  vnf: string,
): Promise<readonly Seen[]> {
  const resources = await cluster.kubectl(["api-resources", "--verbs=list", "-o", "name"]);
  const listed = resources.split("\n").filter((name) => name !== "" && !OF_CONTROLLERS.test(name));
  const objects = await cluster.list<KubeObject>(listed.join(","), "--all-namespaces");
  const members = await etcdMemberList(cluster);
  return [
    ...objects.filter((one) => !flickers(one)).map(seenObject),
    ...members.map(({ id, name, peer, status }) => ({
      subject: { vnf, kind: "resource" as const, key: `etcd member ${name}` },
      identity: id,
      fields: { peer, status },
    })),
  ];
}

function seenObject(object: KubeObject): Seen {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, labels = {}, annotations = {} } = metadata;
  const reference = { apiVersion, kind, ...(namespace !== undefined && { namespace }), name };
  const others = Object.fromEntries(
    Object.entries(object).filter(([field]) => !["apiVersion", "kind", "metadata", "status"].includes(field)),
  );
  const owner = ownerOf(object);
  return {
    subject: { kind: "object", key: `${kind} ${namespace ?? ""}/${name}`, object: reference },
    identity: uid,
    fields: {
      metadata: { labels, ...(kind !== "Node" && { annotations: declared(annotations) }) },
      ...(kind === "Secret" ? { data: hash(others) } : kind === "Node" ? declaredSpec(others) : others),
    },
    ...(owner !== undefined && { derivedFrom: owner }),
  };
}

/** Returns the annotations that are not written by a controller or a client. */
function declared(annotations: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !/^(deployment|deprecated\.daemonset)/.test(key)),
  );
}

interface Taint {
  readonly key: string;
}

/**
 * Returns the fields of a Node without the taints of Kubernetes' node lifecycle controller: it removes `not-ready` only
 * some time after the Node is Ready. A cordon is still in the spec.
 */
function declaredSpec({
  spec,
  ...others
}: {
  readonly spec?: { readonly taints?: readonly Taint[] };
}): object {
  const { taints = [], ...declaredFields } = spec ?? {};
  const ofOperators = taints.filter(({ key }) => !key.startsWith("node.kubernetes.io/"));
  return { ...others, spec: { ...declaredFields, ...(ofOperators.length > 0 && { taints: ofOperators }) } };
}

/** Returns the text of the subject that an object belongs to: its owner, or its namespace. */
function ownerOf({
  kind,
  metadata: { name, namespace, ownerReferences = [] },
}: KubeObject): string | undefined {
  const [owner] = ownerReferences;
  if (owner !== undefined) {
    const ofCluster = owner.kind === "Node";
    const { apiVersion, kind: ownerKind, name: ownerName } = owner;
    const object = {
      apiVersion,
      kind: ownerKind,
      name: ownerName,
      ...(!ofCluster && namespace && { namespace }),
    };
    return textOf({ kind: "object", key: "", object });
  }
  const isOfNamespace =
    (kind === "ServiceAccount" && name === "default") ||
    (kind === "ConfigMap" && name === "kube-root-ca.crt");
  if (!isOfNamespace || namespace === undefined) return undefined;
  const object = { apiVersion: "v1", kind: "Namespace", name: namespace };
  return textOf({ kind: "object", key: "", object });
}

const hash = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex");
