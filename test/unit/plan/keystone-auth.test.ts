/** What the machines of a control plane have for users of Keystone. */
import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { at, fields } from "../../../components/kube/objects/object";
import { CLOSE_METADATA_SERVICE } from "../../../components/plan/metadata-service";
import { renderInitConfig } from "../../../components/render/kubeadm-config";
import { preparation } from "../../../components/render/preparation";
import { clusterVnf } from "../../support/configs";
import { planOf } from "../../support/planned";
import { plannedCluster } from "./planned-cluster";

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const KEYSTONE = { authUrl: "https://keystone.example/v3", roles: { operator: ["operators", "viewers"] } };
const FOLDER = "/etc/kubernetes/keystone-auth";
const MANIFEST = "/etc/kubernetes/manifests/k8s-keystone-auth.yaml";

interface Config {
  readonly files: readonly {
    readonly path: string;
    readonly permissions: string;
    readonly content: string;
  }[];
  readonly preKubeadmCommands?: readonly string[];
  readonly postKubeadmCommands?: readonly string[];
  readonly clusterConfiguration: object;
}

/** The kubeadmConfigSpec of a control plane with this `apiServer`. */
function configOf(apiServer: object, cluster: object = {}): Config {
  const { find } = plannedCluster({ apiServer, ...cluster });
  const [controlPlane] = find("KubeadmControlPlane ");
  return fields(at(controlPlane, "spec", "kubeadmConfigSpec")) as unknown as Config;
}

const file = ({ files }: Config, path: string) => files.find((one) => one.path === path);
const read = (config: Config, path: string): unknown => parse(file(config, path)?.content ?? "");
const args = (config: Config) => at(config.clusterConfiguration, "apiServer", "extraArgs");

test("k8s-keystone-auth is a static pod, of a user whose files are those of its folder", () => {
  const config = configOf({ keystone: { ...KEYSTONE, ca: CERTIFICATE } });
  expect(file(config, MANIFEST)?.permissions).toBe("0600");
  expect(read(config, MANIFEST)).toMatchObject({
    kind: "Pod",
    metadata: { name: "k8s-keystone-auth", namespace: "kube-system" },
    spec: {
      hostNetwork: true,
      securityContext: { runAsNonRoot: true, runAsUser: 65532 },
      containers: [
        {
          image: "registry.k8s.io/provider-os/k8s-keystone-auth:v1.34.1",
          command: ["/bin/k8s-keystone-auth"],
          args: [
            "--listen=127.0.0.1:8443",
            `--tls-cert-file=${FOLDER}/tls.crt`,
            `--tls-private-key-file=${FOLDER}/tls.key`,
            "--keystone-url=https://keystone.example/v3",
            `--keystone-ca-file=${FOLDER}/keystone-ca.crt`,
            `--sync-config-file=${FOLDER}/roles.yaml`,
            `--kubeconfig=${FOLDER}/kubeconfig.yaml`,
          ],
          volumeMounts: [{ name: "configuration", mountPath: FOLDER, readOnly: true }],
        },
      ],
      volumes: [{ name: "configuration", hostPath: { path: FOLDER, type: "Directory" } }],
    },
  });
  expect(file(config, `${FOLDER}/keystone-ca.crt`)?.content).toBe(CERTIFICATE);
  expect(read(config, `${FOLDER}/roles.yaml`)).toEqual({
    "role-mappings": [{ "keystone-role": "operator", groups: ["operators", "viewers"] }],
  });
});

test("the API server asks it with the cluster's CA, and RBAC alone decides", () => {
  const config = configOf({ keystone: KEYSTONE });
  expect(at(config.clusterConfiguration, "apiServer")).toEqual({
    extraArgs: [
      { name: "authentication-token-webhook-config-file", value: `${FOLDER}/webhook.yaml` },
      { name: "authentication-token-webhook-version", value: "v1beta1" },
    ],
    extraVolumes: [
      {
        ...{
          name: "keystone-webhook",
          hostPath: `${FOLDER}/webhook.yaml`,
          mountPath: `${FOLDER}/webhook.yaml`,
        },
        ...{ readOnly: true, pathType: "File" },
      },
    ],
  });
  expect(read(config, `${FOLDER}/webhook.yaml`)).toMatchObject({
    clusters: [
      {
        cluster: {
          server: "https://127.0.0.1:8443/webhook",
          "certificate-authority": "/etc/kubernetes/pki/ca.crt",
        },
      },
    ],
    users: [{ user: {} }],
  });
});

test("the webhook may read ConfigMaps of the cluster and nothing else, as the user of its certificate", () => {
  const config = configOf({ keystone: KEYSTONE });
  const rights = parseAllDocuments(file(config, `${FOLDER}/rbac.yaml`)?.content ?? "").map(
    (document) => document.toJS() as object,
  );
  expect(rights).toMatchObject([
    {
      kind: "ClusterRole",
      rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] }],
    },
    {
      kind: "ClusterRoleBinding",
      roleRef: { kind: "ClusterRole", name: "k8s-keystone-auth" },
      subjects: [{ kind: "User", name: "k8s-keystone-auth" }],
    },
  ]);
  expect(config.postKubeadmCommands).toEqual([
    `kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f ${FOLDER}/rbac.yaml`,
  ]);
  expect(read(configOf({ keystone: KEYSTONE, port: 7443 }), `${FOLDER}/kubeconfig.yaml`)).toMatchObject({
    clusters: [{ cluster: { server: "https://127.0.0.1:7443" } }],
  });
  expect(read(config, `${FOLDER}/kubeconfig.yaml`)).toMatchObject({
    clusters: [
      {
        cluster: {
          ...{ server: "https://127.0.0.1:6443", "tls-server-name": "kubernetes" },
          "certificate-authority": `${FOLDER}/cluster-ca.crt`,
        },
      },
    ],
    users: [{ user: { "client-certificate": `${FOLDER}/tls.crt`, "client-key": `${FOLDER}/tls.key` } }],
  });
});

describe("before kubeadm, on the machine", () => {
  let machine: string;

  beforeAll(() => {
    machine = mkdtempSync(join(tmpdir(), "keystone-auth-"));
    const config = configOf({ keystone: KEYSTONE });
    const [folder, pki] = [join(machine, "keystone-auth"), join(machine, "pki")];
    for (const path of [folder, pki]) mkdirSync(path);
    writeFileSync(join(folder, "openssl.cnf"), file(config, `${FOLDER}/openssl.cnf`)?.content ?? "");
    const ca = ["-keyout", join(pki, "ca.key"), "-out", join(pki, "ca.crt"), "-subj", "/CN=kubernetes"];
    const stdio = "ignore";
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...ca], { stdio });
    const [first, command = "", ...others] = config.preKubeadmCommands ?? [];
    expect([first, ...others]).toEqual([CLOSE_METADATA_SERVICE]);
    expect(command).toContain("chown 65532:65532 tls.key");
    const here = command
      .replaceAll("/etc/kubernetes", machine)
      .replace("65532:65532", `${process.getuid?.()}:${process.getgid?.()}`);
    execFileSync("sh", ["-ec", here], { stdio });
  });

  afterAll(() => rmSync(machine, { recursive: true }));

  it("gets a certificate by the cluster's CA, for its address and for the API", () => {
    const [ca, own] = ["pki/ca.crt", "keystone-auth/tls.crt"].map(
      (path) => new X509Certificate(readFileSync(join(machine, path))),
    ) as [X509Certificate, X509Certificate];
    expect(own.verify(ca.publicKey)).toBe(true);
    expect(own).toMatchObject({
      ...{ subject: "CN=k8s-keystone-auth", subjectAltName: "IP Address:127.0.0.1", ca: false },
      // servers and clients of TLS
      keyUsage: ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"],
    });
    expect(readFileSync(join(machine, "keystone-auth/cluster-ca.crt"))).toEqual(
      readFileSync(join(machine, "pki/ca.crt")),
    );
  });

  it("has a key that nobody else reads", () => {
    const mode = (name: string) => statSync(join(machine, "keystone-auth", name)).mode & 0o777;
    expect([mode("tls.key"), mode("tls.crt"), mode("cluster-ca.crt")]).toEqual([0o600, 0o644, 0o644]);
  });
});

test("OpenID Connect and hardening go with it, which keeps the list of anonymous requests", () => {
  const oidc = { issuerUrl: "https://id.example.org", clientId: "kube" };
  const encryptionKeys = [Buffer.from("A".repeat(32)).toString("base64")];
  const webhook = { name: "authentication-token-webhook-config-file", value: `${FOLDER}/webhook.yaml` };
  expect(args(configOf({ keystone: KEYSTONE, oidc }))).toEqual(
    expect.arrayContaining([webhook, { name: "oidc-client-id", value: "kube" }]),
  );
  expect(args(configOf({ keystone: KEYSTONE, encryptionKeys }, { hardening: "cis" }))).toEqual(
    expect.arrayContaining([
      webhook,
      { name: "authentication-config", value: "/etc/kubernetes/authentication.yaml" },
    ]),
  );
});

test("other groups replace machines of the control plane, and no workers", () => {
  const objects = (groups: string[]) =>
    plannedCluster({ apiServer: { keystone: { ...KEYSTONE, roles: { operator: groups } } } }).objects;
  const before = objects(["operators"]);
  const changed = objects(["viewers"]).filter(
    (object, i) => JSON.stringify(object) !== JSON.stringify(before[i]),
  );
  expect(changed.map(({ kind }) => kind)).toEqual(["KubeadmControlPlane"]);
});

const IN = "vnfm:vnfs.tenant.apiServer.keystone";

test.each<[string, object, string[]]>([
  [
    "a role that users of other projects have",
    { roles: { member: ["viewers", "editors"], operator: ["a"] } },
    [
      `${IN}.roles.member: users with this role in any project of the cloud are in viewers and editors; ` +
        "use a role created for the cluster, or bind the id of the project, which is a group of its users",
    ],
  ],
  [
    "a Keystone of http://",
    { authUrl: "http://keystone.example/v3" },
    [
      `${IN}.authUrl: is an http:// URL, over which tokens of users are sent unencrypted; use one of https://`,
    ],
  ],
  ["neither", {}, []],
])("the preview warns of %s", (_, keystone, warnings) => {
  const apiServer = { floatingIp: false, keystone: { ...KEYSTONE, ...keystone } };
  expect(plannedCluster({ apiServer }).plan.warnings).toEqual(warnings);
});

describe("a kubeadm cluster", () => {
  /** Plans a cluster with these parameters. */
  function plannedKubeadm(params: object) {
    const [plan] = planOf({ "vnf-a": clusterVnf(1, params) });
    if (plan?.kind !== "kubeadm") throw new Error("no cluster is planned");
    return { plan, cluster: plan.cluster };
  }

  it("has the same files, commands and arguments as a workload cluster", () => {
    const keystone = { ...KEYSTONE, ca: CERTIFICATE };
    const config = configOf({ keystone });
    const { cluster } = plannedKubeadm({ apiServer: { keystone } });
    const { keystoneAuth } = cluster.nodes;
    if (keystoneAuth === undefined) throw new Error("there is no k8s-keystone-auth");
    const { files, webhook, pod, before, after } = keystoneAuth;
    for (const one of [...files, webhook, pod]) expect(file(config, one.path)).toMatchObject(one);
    expect(config.preKubeadmCommands).toContain(before);
    expect(config.postKubeadmCommands).toEqual([after]);
    const master = { nodeName: "m", nodeAddress: "10.0.0.5", apiAddress: "10.0.0.5" };
    const [, configuration] = parseAllDocuments(renderInitConfig(cluster, master)).map(
      (document) => document.toJS() as unknown,
    );
    expect(at(configuration, "apiServer")).toEqual({
      certSANs: ["10.0.0.5"],
      ...(at(config.clusterConfiguration, "apiServer") as object),
    });
    const nodeFiles = (role: "master" | "worker") =>
      preparation(cluster, { name: "n", role, address: "10.0.0.5" })["node_files"];
    expect(nodeFiles("master")).toBe(`0644 ${FOLDER}/webhook.yaml ${btoa(webhook.content)}`);
    expect(nodeFiles("worker")).toBe("");
  });

  it("is warned as a workload cluster, and takes no argument that the setting gives", () => {
    const place = "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param";
    const keystone = { authUrl: "http://keystone.example/v3", roles: { member: ["viewers"] } };
    const { warnings } = plannedKubeadm({ apiServer: { keystone } }).plan;
    expect(warnings).toEqual(
      expect.arrayContaining([
        expect.stringContaining(`${place}.apiServer.keystone.roles.member: users with this role`),
        expect.stringContaining(`${place}.apiServer.keystone.authUrl: is an http:// URL`),
      ]),
    );
    const extraArgs = [{ name: "authentication-token-webhook-version", value: "v1" }];
    expect(() =>
      plannedKubeadm({
        apiServer: { keystone },
        kubeadm: { cluster_configuration: { apiServer: { extraArgs } } },
      }),
    ).toThrow(
      `${place}.kubeadm.cluster_configuration.apiServer.extraArgs: has authentication-token-webhook-version, which apiServer.keystone sets; remove it`,
    );
  });
});
