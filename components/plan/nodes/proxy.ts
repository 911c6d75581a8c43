/** The site's proxy, through which containerd pulls images. The other programs of a node do without it. */
import { Secret } from "../../base/secret";
import type { NodeFile } from "../../kube/cluster/control-plane";
import type { NodeParts, Proxy } from "./model";

/** Kubeadm's default for the DNS domain of Services. */
export const DNS_DOMAIN = "cluster.local";

/** File with the variables: every user of a node can read a unit's `Environment=` from systemd, but not this file. */
const VARIABLES = "/etc/containerd/vnfm-proxy.env";
const DROP_IN: NodeFile = {
  path: "/etc/systemd/system/containerd.service.d/proxy.conf",
  permissions: "0644",
  content: `[Service]\nEnvironmentFile=${VARIABLES}\n`,
};

/** The files of a node for its proxy, which containerd reads when it starts. @param address of the node, if known */
export function proxyFiles(
  proxy: Proxy | undefined,
  address?: string,
): Pick<NodeParts, "files" | "secretFiles"> {
  const { http, https } = proxy ?? {};
  if (proxy === undefined || (http ?? https) === undefined) return { files: [], secretFiles: [] };
  const values = { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: new Secret(noProxy(proxy, address)) };
  const lines = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.reveal().replaceAll(/["\\]/g, "\\$&")}"\n`],
  );
  const variables = {
    ...{ path: VARIABLES, permissions: "0600", content: new Secret(lines.join("")) },
    identity: [proxy.exceptions, hostOf(http), hostOf(https)],
  };
  return { files: [DROP_IN], secretFiles: [variables] };
}

/**
 * The value of NO_PROXY: exceptions of the operator, and all destinations inside of the cluster. Blocks of addresses
 * are written as CIDRs.
 */
export function noProxy({ exceptions, cidrs, nodeCidr, dnsDomain }: Proxy, address?: string): string {
  const ofOperator = exceptions?.split(",").map((entry) => entry.trim()) ?? [];
  const local = ["127.0.0.1", "localhost", ".svc", `.${dnsDomain}`];
  const entries = [...ofOperator, ...local, ...cidrs, nodeCidr ?? address ?? ""];
  return [...new Set(entries.filter(Boolean))].join(",");
}

/** Host and port of a URL, without the login. */
function hostOf(url: Secret | undefined): string | undefined {
  return url && new URL(url.reveal()).host;
}
