import { toYaml } from "../../base/yaml/yaml";
import { KEYSTONE_AUTH as FOLDER, KEYSTONE_AUTH_PORT, KEYSTONE_WEBHOOK } from "../../kube/cluster/keystone";
import type { Fields } from "../../kube/objects/object";
import type { Keystone, NodeFeature, Placed } from "./model";

const NAME = "k8s-keystone-auth";
const PKI = "/etc/kubernetes/pki";
const ADDRESS = `127.0.0.1:${KEYSTONE_AUTH_PORT}`;
/** User id of the pod; no user of the machine has this id, so that only root can read the key. */
const USER = 65532;

/**
 * A static pod of k8s-keystone-auth on each node of the control plane: the API server sends it tokens, and it asks
 * Keystone for their users. Only RBAC grants permissions to these users.
 * https://github.com/kubernetes/cloud-provider-openstack/tree/master/docs/keystone-auth
 */
export const keystoneAuth: NodeFeature = ({ keystone }) => {
  if (keystone === undefined) return {};
  const { value: settings } = keystone;
  const file = (path: string, content: string) => ({ path, permissions: "0644", content });
  return {
    keystoneAuth: {
      files: [
        file(`${FOLDER}/roles.yaml`, toYaml(roleMappings(settings))),
        ...(settings.ca === undefined ? [] : [file(`${FOLDER}/keystone-ca.crt`, settings.ca)]),
        file(`${FOLDER}/openssl.cnf`, CERTIFICATE),
        file(`${FOLDER}/kubeconfig.yaml`, toYaml(ofThePod(settings.apiServerPort))),
        file(`${FOLDER}/rbac.yaml`, RIGHTS.map((one) => toYaml(one)).join("---\n")),
      ],
      webhook: file(KEYSTONE_WEBHOOK, toYaml(OF_THE_API_SERVER)),
      pod: {
        ...{ path: `/etc/kubernetes/manifests/${NAME}.yaml`, permissions: "0600" },
        content: toYaml(staticPod(settings)),
      },
      before: MAKE_CERTIFICATE,
      after: `kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f ${FOLDER}/rbac.yaml`,
    },
    warnings: warningsOf(keystone),
  };
};

/** Default roles of Keystone, which users usually also have in projects other than the cluster's. */
const ROLES_OF_ALL = ["member", "reader", "manager"];

/** Warnings about roles that make users of other projects members of the groups, and about HTTP. */
function warningsOf({ value: { authUrl, roles }, place }: Placed<Keystone>): string[] {
  return [
    ...Object.entries(roles)
      .filter(([role]) => ROLES_OF_ALL.includes(role))
      .map(
        ([role, groups]) =>
          `${place.get("roles", role).text}: users with this role in any project of the cloud are in ${groups.join(" and ")}; ` +
          `use a role created for the cluster, or bind the id of the project, which is a group of its users`,
      ),
    ...(authUrl.startsWith("http:")
      ? [
          `${place.get("authUrl").text}: is an http:// URL, over which tokens of users are sent unencrypted; use one of https://`,
        ]
      : []),
  ];
}

function roleMappings({ roles }: Keystone): Fields {
  const mappings = Object.entries(roles).map(([role, groups]) => ({ "keystone-role": role, groups }));
  return { "role-mappings": mappings };
}

/** OpenSSL configuration of the pod's certificate, for its server and for its requests to the API. */
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
 * Creates key and certificate as kubeadm does for its own programs, signed by the cluster's CA, which is on the node.
 * The pod has a copy of the CA's certificate, as only root can read kubeadm's folder on a hardened
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

/** The pod's kubeconfig for the API server of its machine, by a name in the API server's certificate. */
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

function staticPod({ image, authUrl, ca }: Keystone): Fields {
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
