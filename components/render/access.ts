import { createHash, X509Certificate } from "node:crypto";
import { Fault } from "../base/fault";
import { toYaml } from "../base/yaml/yaml";
import type { KubeObject } from "../kube/objects/object";

/** The service account on each cluster, which vnfm and its users log in with. */
export const SERVICE_ACCOUNT = { namespace: "kube-system", name: "vnfm", secret: "vnfm-token" } as const;

/**
 * Returns the service account, its token Secret (since 1.24 clusters create none by themselves) and the binding to
 * cluster-admin, because a CNF may contain objects of any kind.
 */
export function accessObjects(): [account: KubeObject, secret: KubeObject, binding: KubeObject] {
  const { namespace, name, secret } = SERVICE_ACCOUNT;
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } },
    {
      apiVersion: "v1",
      kind: "Secret",
      type: "kubernetes.io/service-account-token",
      metadata: { name: secret, namespace, annotations: { "kubernetes.io/service-account.name": name } },
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "vnfm" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    },
  ];
}

/** The objects of accessObjects as a manifest. */
export function renderAccessManifest(): string {
  return accessObjects()
    .map((object) => toYaml(object))
    .join("---\n");
}

/**
 * Returns the hash of a CA's public key in kubeadm's form, `sha256:<hex>`.
 *
 * @param ca the CA's certificate: PEM in base64
 * @param subject name of the certificate, for the message
 * @throws Fault if it is not a certificate
 */
export function caCertHash(ca: string, subject: string): string {
  const { publicKey } = certificateOf(Buffer.from(ca, "base64"), subject);
  const der = publicKey.export({ type: "spki", format: "der" });
  return `sha256:${createHash("sha256").update(der).digest("hex")}`;
}

function certificateOf(ca: Buffer, subject: string): X509Certificate {
  try {
    return new X509Certificate(ca);
  } catch {
    throw new Fault(`${subject} has a CA that is not a certificate`);
  }
}

/** The shell variables of service-account.sh. */
export function serviceAccountData() {
  const { namespace, name, secret } = SERVICE_ACCOUNT;
  return { namespace, service_account: name, secret, access_manifest: renderAccessManifest() };
}

/** Access data of a cluster, as read-access.sh prints them. */
export interface ClusterAccess {
  /** The cluster's CA certificate, PEM in base64. */
  readonly ca: string;
  /** `sha256:<hex>` of the CA's public key. */
  readonly caCertHash: string;
  readonly certificateKey: string;
}

/**
 * Parses the output of read-access.sh.
 * @throws Fault that names the missing line
 */
export function parseAccess(text: string): ClusterAccess {
  const values = new Map(
    text.split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]),
  );
  const value = (key: string): string => {
    const found = values.get(key);
    if (!found)
      throw new Fault(`the control-plane node's response about access to the cluster has no ${key}`);
    return found;
  };
  return {
    ca: value("ca"),
    caCertHash: value("ssl_ca_cert_hash"),
    certificateKey: value("certificate_key"),
  };
}

/**
 * Renders a kubeconfig of a cluster.
 * @param bearerToken of the service account, or of any other user
 */
export function renderKubeconfig(
  vimName: string,
  apiUrl: string,
  { ca }: Pick<ClusterAccess, "ca">,
  bearerToken: string,
): string {
  return toYaml({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: vimName, cluster: { server: apiUrl, "certificate-authority-data": ca } }],
    users: [{ name: SERVICE_ACCOUNT.name, user: { token: bearerToken } }],
    contexts: [{ name: vimName, context: { cluster: vimName, user: SERVICE_ACCOUNT.name } }],
    "current-context": vimName,
  });
}

/**
 * A cluster as a VIM, with the keys of `vim_connection_info` in Tacker's specification of the Kubernetes cluster VNF.
 */
export interface VimConnectionInfo {
  readonly vim_type: "kubernetes";
  readonly access_info: {
    readonly auth_url: string;
    readonly bearer_token: string;
    readonly ssl_ca_cert_hash: string;
    /** Key that decrypts kubeadm's uploaded certificates; absent for a cluster of Cluster API. */
    readonly certificate_key?: string;
  };
  readonly interface_info: Readonly<Record<string, never>>;
}

export function vimConnectionInfo(
  apiUrl: string,
  access: Pick<ClusterAccess, "caCertHash"> & Partial<ClusterAccess>,
  bearerToken: string,
): VimConnectionInfo {
  return {
    vim_type: "kubernetes",
    access_info: {
      auth_url: apiUrl,
      bearer_token: bearerToken,
      ssl_ca_cert_hash: access.caCertHash,
      ...(access.certificateKey !== undefined && { certificate_key: access.certificateKey }),
    },
    interface_info: {},
  };
}
