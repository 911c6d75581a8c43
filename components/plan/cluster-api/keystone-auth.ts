import { fileVolume } from "../../kube/cluster/control-plane";
import type { Fields } from "../../kube/objects/object";
import { KEYSTONE_AUTH_PORT } from "../../settings/cluster-checks";
import type { ApiServer, KeystoneUsers } from "../../settings/model";
import { toYaml } from "../../base/yaml/yaml";
import type { Additions } from "./machine-files";

const NAME = "k8s-keystone-auth";
const FOLDER = "/etc/kubernetes/keystone-auth";
const PKI = "/etc/kubernetes/pki";
const WEBHOOK = `${FOLDER}/webhook.yaml`;
const ADDRESS = `127.0.0.1:${KEYSTONE_AUTH_PORT}`;
/** User id of the pod; no user of the machine has this id, so that only root can read the key. */
const USER = 65532;

/**
 * A static pod of k8s-keystone-auth on each machine of the control plane: the API server sends it tokens, and it asks
 * Keystone for their users. Only RBAC grants permissions to these users.
 * https://github.com/kubernetes/cloud-provider-openstack/tree/master/docs/keystone-auth
 */
export function keystoneAuth({ keystone, port }: ApiServer): Additions {
  if (keystone === undefined) return { files: [], before: [], after: [] };
  const file = (path: string, content: string) => ({ path, permissions: "0644", content });
  return {
    files: [
      file(`${FOLDER}/roles.yaml`, toYaml(roleMappings(keystone))),
      ...(keystone.ca === undefined ? [] : [file(`${FOLDER}/keystone-ca.crt`, keystone.ca)]),
      file(`${FOLDER}/openssl.cnf`, CERTIFICATE),
      file(`${FOLDER}/kubeconfig.yaml`, toYaml(ofThePod(port))),
      file(`${FOLDER}/rbac.yaml`, RIGHTS.map((one) => toYaml(one)).join("---\n")),
      file(WEBHOOK, toYaml(OF_THE_API_SERVER)),
      { ...file(`/etc/kubernetes/manifests/${NAME}.yaml`, toYaml(staticPod(keystone))), permissions: "0600" },
    ],
    before: [MAKE_CERTIFICATE],
    after: [`kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f ${FOLDER}/rbac.yaml`],
  };
}

/** The arguments and volumes of kube-apiserver for it. */
export function keystoneAuthConfig({ keystone }: ApiServer): {
  readonly args: Readonly<Record<string, string>>;
  readonly volumes: readonly Fields[];
} {
  if (keystone === undefined) return { args: {}, volumes: [] };
  return {
    args: {
      "authentication-token-webhook-config-file": WEBHOOK,
      // it supports no other version
      "authentication-token-webhook-version": "v1beta1",
    },
    volumes: [fileVolume("keystone-webhook", WEBHOOK)],
  };
}

function roleMappings({ roles }: KeystoneUsers): Fields {
  const mappings = Object.entries(roles).map(([role, groups]) => ({ "keystone-role": role, groups }));
  return { "role-mappings": mappings };
}

/** Request for its certificate, which it uses as a server, and as a client of the API. */
const CERTIFICATE = `[req]
distinguished_name = name
prompt = no
[name]
CN = ${NAME}
[extensions]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, keyEncipherment
extendedKeyUsage = serverAuth, clientAuth
subjectAltName = IP:127.0.0.1
`;

/**
 * Creates key and certificate as kubeadm does for its own programs, signed by the cluster's CA, which Cluster API has
 * put on the machine. The pod has a copy of the CA's certificate, as only root can read kubeadm's folder on a hardened
 * machine.
 */
const MAKE_CERTIFICATE = `(${[
  `cd ${FOLDER}`,
  "umask 077",
  "openssl req -new -newkey rsa:2048 -nodes -config openssl.cnf -keyout tls.key -out tls.csr",
  `openssl x509 -req -in tls.csr -CA ${PKI}/ca.crt -CAkey ${PKI}/ca.key -set_serial "0x$(openssl rand -hex 16)" ` +
    "-days 3650 -sha256 -extfile openssl.cnf -extensions extensions -out tls.crt",
  `cp ${PKI}/ca.crt cluster-ca.crt`,
  "chmod 0644 tls.crt cluster-ca.crt",
  `chown ${USER}:${USER} tls.key`,
].join(" && ")})`;

const OF_THE_API_SERVER = kubeconfig(
  { server: `https://${ADDRESS}/webhook`, "certificate-authority": `${PKI}/ca.crt` },
  {},
);

/** The kubeconfig of the pod for the API server of its machine, by a name in that server's certificate. */
function ofThePod(port: number): Fields {
  return kubeconfig(
    {
      ...{ server: `https://127.0.0.1:${port}`, "tls-server-name": "kubernetes" },
      "certificate-authority": `${FOLDER}/cluster-ca.crt`,
    },
    { "client-certificate": `${FOLDER}/tls.crt`, "client-key": `${FOLDER}/tls.key` },
  );
}

function kubeconfig(cluster: Fields, user: Fields): Fields {
  return {
    ...{ apiVersion: "v1", kind: "Config", "current-context": NAME },
    clusters: [{ name: NAME, cluster }],
    users: [{ name: NAME, user }],
    contexts: [{ name: NAME, context: { cluster: NAME, user: NAME } }],
  };
}

/**
 * RBAC of the pod. With a file of roles it reads all ConfigMaps before it serves, although it needs none, as it also
 * supports a ConfigMap in place of the file.
 */
const RIGHTS: readonly Fields[] = [
  {
    ...{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: NAME } },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }],
  },
  {
    ...{ apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: { name: NAME } },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: NAME },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: NAME }],
  },
];

function staticPod({ image, authUrl, ca }: KeystoneUsers): Fields {
  const flags = {
    listen: ADDRESS,
    "tls-cert-file": `${FOLDER}/tls.crt`,
    "tls-private-key-file": `${FOLDER}/tls.key`,
    "keystone-url": authUrl,
    ...(ca !== undefined && { "keystone-ca-file": `${FOLDER}/keystone-ca.crt` }),
    "sync-config-file": `${FOLDER}/roles.yaml`,
    kubeconfig: `${FOLDER}/kubeconfig.yaml`,
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: NAME, namespace: "kube-system" },
    spec: {
      hostNetwork: true,
      priorityClassName: "system-node-critical",
      securityContext: {
        ...{ runAsNonRoot: true, runAsUser: USER, runAsGroup: USER },
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          ...{ name: NAME, image, imagePullPolicy: "IfNotPresent" },
          command: [`/bin/${NAME}`],
          args: Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
          securityContext: {
            ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
            capabilities: { drop: ["ALL"] },
          },
          volumeMounts: [{ name: "configuration", mountPath: FOLDER, readOnly: true }],
        },
      ],
      volumes: [{ name: "configuration", hostPath: { path: FOLDER, type: "Directory" } }],
    },
  };
}
