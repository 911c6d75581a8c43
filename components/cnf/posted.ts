import { parse } from "yaml";
import { digest } from "./checksum";
import { groupKind, isCreateOnly } from "./kinds";
import { at, items, text, without, type KubeObject } from "./object";

/** Orders about an object whose name they bear; every other kind that is only posted bears none. */
const SUBRESOURCES: Readonly<Record<string, string>> = {
  "/Binding": "pods/*/binding",
  "authentication.k8s.io/TokenRequest": "serviceaccounts/*/token",
  "policy/Eviction": "pods/*/eviction",
};

/** Whether the object is an order about another, by its name. */
export function isOrder(object: KubeObject): boolean {
  return SUBRESOURCES[groupKind(object)] !== undefined;
}

/** A question has no name; the plan, which must tell it from others, takes one from its content. */
export function identified(object: KubeObject): KubeObject {
  if (!isCreateOnly(object) || isOrder(object)) return object;
  return { ...object, metadata: { ...object.metadata, name: contentId(object) } };
}

/** The object as the API wants it: a question with a name is refused. */
export function posted(object: KubeObject): KubeObject {
  return isOrder(object) ? object : { ...object, metadata: without(object.metadata, "name") };
}

/** Changes with the object's content. */
export function contentId(object: KubeObject): string {
  return digest(posted(object)).slice(0, 10);
}

/** Where on the API an object that is only created is posted. */
export function postPath(object: KubeObject): string {
  const { namespace, name } = object.metadata;
  const place = namespace === undefined ? "" : `namespaces/${encodeURIComponent(namespace)}/`;
  const subresource = SUBRESOURCES[groupKind(object)];
  if (subresource !== undefined)
    return `/api/v1/${place}${subresource.replace("*", encodeURIComponent(name ?? ""))}`;
  return `/apis/${object.apiVersion}/${place}${object.kind.toLowerCase()}s`;
}

/** How a kubeconfig's current context reaches its cluster; certificates and keys in base64. */
export interface ApiAccess {
  readonly server: string;
  readonly ca: string | undefined;
  readonly insecure: boolean;
  readonly serverName: string | undefined;
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
}

export function apiAccess(kubeconfig: string): ApiAccess {
  const value: unknown = parse(kubeconfig);
  const named = (list: string, name: unknown): unknown =>
    items(at(value, list)).find((entry) => at(entry, "name") === name);
  const context = at(named("contexts", at(value, "current-context")), "context");
  const cluster = at(named("clusters", at(context, "cluster")), "cluster");
  const user = at(named("users", at(context, "user")), "user");
  return {
    server: text(at(cluster, "server")) ?? "",
    ca: text(at(cluster, "certificate-authority-data")),
    insecure: at(cluster, "insecure-skip-tls-verify") === true,
    serverName: text(at(cluster, "tls-server-name")),
    token: text(at(user, "token")),
    cert: text(at(user, "client-certificate-data")),
    key: text(at(user, "client-key-data")),
  };
}
