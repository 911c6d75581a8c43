/** Registries as nodes of both kinds of clusters have them. */
import type { Registry } from "../../../components/plan/nodes/model";
import { planNodes } from "../../../components/plan/nodes/features";
import { Secret } from "../../../components/base/secret";
import { at, items } from "../../../components/kube/objects/object";
import { clusterVnf } from "../../support/configs";
import { planOf } from "../../support/planned";
import { placeOf } from "../places";
import { faultsOf } from "../settings/support";
import { plannedCluster } from "./planned-cluster";

const registry = (changes: Partial<Registry>): Registry => ({
  ...{ name: "registry.example:5000", scheme: undefined, mirrors: undefined },
  ...{ ca: undefined, login: undefined, hostsLine: undefined },
  ...changes,
});
const scheme = (value: "http" | "https") => ({ value, place: placeOf("scheme") });
const mirrors = (...value: string[]) => ({ value, place: placeOf("mirrors") });
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const login = { username: "puller", password: new Secret('pa:ss"word') };
const NONE = {
  ...{ trustedCertificates: [], proxy: undefined, keystone: undefined },
  files: { value: [], place: placeOf("files") },
};
const planned = (...registries: readonly Registry[]) => planNodes({ ...NONE, registries });

it("a cluster without registries has no parts", () => {
  expect(planned()).toEqual({
    ...{ proxy: undefined, trusted: [], files: [], operatorFiles: [], secretFiles: [] },
    ...{ hostsLines: [], keystoneAuth: undefined, warnings: [] },
  });
});

it("containerd learns how to reach each registry, and the kubelet who logs in", () => {
  const { files, secretFiles } = planned(
    registry({ login, scheme: scheme("https"), ca: "the CA" }),
    registry({ name: "10.0.0.9", scheme: scheme("http") }),
  );
  expect(files).toEqual([
    { path: "/etc/containerd/certs.d/registry.example:5000/ca.crt", permissions: "0644", content: "the CA" },
    {
      path: "/etc/containerd/certs.d/registry.example:5000/hosts.toml",
      permissions: "0644",
      content: [
        'server = "https://registry.example:5000"',
        'ca = "/etc/containerd/certs.d/registry.example:5000/ca.crt"',
        "",
        '[host."https://registry.example:5000"]',
        'ca = "/etc/containerd/certs.d/registry.example:5000/ca.crt"',
        "",
      ].join("\n"),
    },
    {
      path: "/etc/containerd/certs.d/10.0.0.9/hosts.toml",
      permissions: "0644",
      content: 'server = "http://10.0.0.9"\n\n[host."http://10.0.0.9"]\n',
    },
  ]);
  expect(secretFiles.map(({ content, ...file }) => ({ ...file, content: content.reveal() }))).toEqual([
    {
      path: "/.docker/config.json",
      permissions: "0600",
      content: `{"auths":{"registry.example:5000":{"auth":"${btoa('puller:pa:ss"word')}"}}}\n`,
      identity: [["registry.example:5000", "puller"]],
    },
  ]);
});

it("a registry with a login alone has no file for containerd", () => {
  const { files, secretFiles } = planned(registry({ login }));
  expect([files.length, secretFiles.length]).toEqual([0, 1]);
});

it("Docker Hub is asked at the host that serves it, and its login has the name that images have", () => {
  const { files, secretFiles } = planned(registry({ name: "docker.io", scheme: scheme("https"), login }));
  expect(files).toEqual([
    {
      path: "/etc/containerd/certs.d/docker.io/hosts.toml",
      permissions: "0644",
      content: 'server = "https://registry-1.docker.io"\n\n[host."https://registry-1.docker.io"]\n',
    },
  ]);
  expect(secretFiles[0]?.content.reveal()).toBe(
    `{"auths":{"docker.io":{"auth":"${btoa('puller:pa:ss"word')}"}}}\n`,
  );
});

it("a mirror at the port of HTTPS has the CA of its registry, with and without that port", () => {
  const trusted = ["mirror.example", "mirror.example:443", "mirror.example:8443"].map((name) => {
    const ofMirror = registry({ name, ca: "the CA" });
    const { files } = planned(ofMirror, registry({ mirrors: mirrors("https://mirror.example:443") }));
    return files.at(-1)?.content.includes(`ca = "/etc/containerd/certs.d/${name}/ca.crt"`);
  });
  expect(trusted).toEqual([true, true, false]);
});

it("lines of /etc/hosts are in the order of the registries", () => {
  const lines = ["10.0.0.9 registry.example", "10.0.0.8 other.example"];
  expect(planned(...lines.map((hostsLine) => registry({ hostsLine }))).hostsLines).toEqual(lines);
});

it("a login over HTTP is warned of, at the registry itself and at a mirror, which gets it too", () => {
  const { warnings } = planned(
    registry({ scheme: scheme("http"), mirrors: mirrors("http://mirror.example") }),
    registry({ scheme: scheme("https"), mirrors: mirrors("https://mirror.example"), login }),
    registry({ name: "other.example", scheme: scheme("http"), login }),
    registry({ mirrors: mirrors("https://a.example", "http://b.example/path"), login }),
  );
  const text = "unencrypted; use HTTPS";
  expect(warnings).toEqual([
    `scheme: each node sends the password of puller to http://other.example ${text}`,
    `mirrors: each node sends the password of puller to http://b.example ${text}`,
  ]);
});

/** Paths and texts of the files for containerd on nodes of a kubeadm cluster. */
function kubeadmFiles(registries: readonly object[]): unknown {
  const vnf = clusterVnf(1, { private_registry_connection_info: registries });
  const [plan] = planOf({ "vnf-a": vnf }, { readProjectFile: () => CERTIFICATE });
  if (plan?.kind !== "kubeadm") throw new Error("no cluster is planned");
  return plan.cluster.nodes.files.map(({ path, content }) => [path, content]);
}

/** The same of machines of a workload cluster. */
function machineFiles(settings: object): unknown {
  const [config] = plannedCluster(settings).find("KubeadmConfigTemplate");
  return items(at(config, "spec", "template", "spec", "files"))
    .map((file) => [at(file, "path"), at(file, "content")])
    .filter(([path]) => String(path).startsWith("/etc/containerd/"));
}

const CERTS = "/etc/containerd/certs.d";

it("mirrors and certificates are the same files on nodes of both kinds of clusters", () => {
  const urls = ["https://harbor.example/v2/hub/", "http://10.0.0.9:5000"];
  const files = [
    [
      `${CERTS}/docker.io/hosts.toml`,
      [
        'server = "https://registry-1.docker.io"',
        "",
        '[host."https://harbor.example/v2/hub"]',
        'capabilities = ["pull", "resolve"]',
        "override_path = true",
        `ca = "${CERTS}/harbor.example/ca.crt"`,
        "",
        '[host."http://10.0.0.9:5000"]',
        'capabilities = ["pull", "resolve"]',
        "",
      ].join("\n"),
    ],
    [`${CERTS}/harbor.example/ca.crt`, CERTIFICATE],
    [
      `${CERTS}/harbor.example/hosts.toml`,
      [
        'server = "https://harbor.example"',
        `ca = "${CERTS}/harbor.example/ca.crt"`,
        "",
        '[host."https://harbor.example"]',
        `ca = "${CERTS}/harbor.example/ca.crt"`,
        "",
      ].join("\n"),
    ],
  ];
  expect(
    kubeadmFiles([
      { connection_type: "1", server: "docker.io", mirrors: urls },
      { connection_type: "1", server: "harbor.example", certificate_path: "ca.pem" },
    ]),
  ).toEqual(files);
  expect(
    machineFiles({
      registryMirrors: { "docker.io": urls },
      registryCertificates: { "harbor.example": CERTIFICATE },
    }),
  ).toEqual(files);
});

it("the certificates of a registry with mirrors are for the registry itself", () => {
  expect(
    machineFiles({
      registryMirrors: { "quay.io": ["https://mirror.example"] },
      registryCertificates: { "quay.io": CERTIFICATE },
    }),
  ).toEqual([
    [`${CERTS}/quay.io/ca.crt`, CERTIFICATE],
    [
      `${CERTS}/quay.io/hosts.toml`,
      `server = "https://quay.io"\nca = "${CERTS}/quay.io/ca.crt"\n\n[host."https://mirror.example"]\ncapabilities = ["pull", "resolve"]\n`,
    ],
  ]);
});

it("a mirror that containerd would reject or read in part is a fault of clusters of both kinds", () => {
  const urls = [
    ...["https://mirror.example", "https://mirror.example/", "https://puller:hidden@other.example"],
    ...["https://:hidden@other.example", "https://other.example?a=b", "https://other.example#a"],
  ];
  const inPart =
    "has credentials, a query or a fragment, which containerd ignores; write https://host:port/path";
  const faults = (setting: string) => [
    `${setting}[1]: https://mirror.example appears twice; remove one of the two`,
    ...[2, 3, 4, 5].map((i) => `${setting}[${i}]: ${inPart}`),
  ];
  const server = { connection_type: "1", server: "docker.io", mirrors: urls };
  expect(faultsOf({ "vnf-a": clusterVnf(1, { private_registry_connection_info: [server] }) })).toEqual(
    faults(
      "vnf-a.additionalParams.k8s_cluster_installation_param.private_registry_connection_info[0].mirrors",
    ),
  );
  const text = faults('vnfm:vnfs.tenant.registryMirrors["docker.io"]').join("\n  ");
  expect(() => plannedCluster({ registryMirrors: { "docker.io": urls } })).toThrow(text);
});
