/** What becomes of the values that are encrypted in the stack config. */
import { markEncrypted, writtenIn } from "../../../components/settings/encrypted";
import { mapValues } from "../../../components/plan/workload/chart-values";
import { parseSettings } from "../../../components/settings/parse";
import { Secret } from "../../../components/base/secret";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf, webCnf } from "../../support/configs";
import { configWith, INSTALLATION } from "./support";
import { textOf } from "../../../components/base/findings";
import { placeOf } from "../places";

const FILE = `
config:
  vnfm:vnfs:
    a:
      package: p
      on: 2026-01-02
      counts: [1, {secure: v1:x}]
      password: {secure: v1:y}
`;

describe("the encrypted texts of a value", () => {
  const written = writtenIn(FILE, "vnfm:vnfs");
  const plain = { package: "p", on: "2026-01-02 00:00:00 +0000 UTC", counts: [1, "1"], password: "true" };

  it("are those that the file has encrypted, whatever they are", () => {
    const { value, unknown } = markEncrypted({ a: plain }, placeOf("vnfm:vnfs"), written);
    const secrets = { counts: [1, new Secret("1")], password: new Secret("true") };
    expect(value).toEqual({ a: { ...plain, ...secrets } });
    expect((value as { a: { password: Secret } }).a.password.reveal()).toBe("true");
    expect(unknown).toEqual([]);
  });

  it("are all that the file has otherwise, or not at all", () => {
    const { value, unknown } = markEncrypted(
      { a: { ...plain, package: "q" }, b: { c: "d", e: 1 } },
      placeOf("vnfm:vnfs"),
      written,
    );
    expect(unknown).toEqual(["vnfm:vnfs.a.package", "vnfm:vnfs.b.c"]);
    expect(value).toMatchObject({
      a: { package: expect.any(Secret) as Secret },
      b: { c: expect.any(Secret) as Secret, e: 1 },
    });
    expect(markEncrypted({ a: plain }, placeOf("k"), writtenIn(undefined, "k")).unknown).toHaveLength(4);
    expect(writtenIn("config: [unclosed", "vnfm:vnfs")).toBeUndefined();
  });

  it("are the whole, where that is encrypted", () => {
    expect(markEncrypted({ a: 1 }, placeOf("k"), { secure: "v1:x" }).value).toEqual(new Secret('{"a":1}'));
  });
});

const secret = new Secret("hidden");
const found = (vnfs: object, templates = {}) => {
  const { settings } = parseSettings(vnfs, templates);
  return { ...settings, faults: settings.faults.map(textOf) };
};

const NOVA =
  "but Nova shows metadata to who may see the servers, and on the servers to each process; write it without --secret if it is no secret";
const CONFIG_MAP =
  "but kubeadm writes it to a ConfigMap on the cluster; write it without --secret if it is no secret";
const ARGUMENT =
  "but arguments are shown to each process of the machine; write it to a file by kubeadm.files, and give the path of that";
const COMMAND =
  "but commands are plain on the management cluster and in logs; write it to a file by kubeadm.files, and have the command read that";
const IN_PLAIN = "and would be unencrypted in the state; set it without --secret";

it.each([
  ["vnf-a.servers.masterNode.metadata.owner", NOVA],
  [`${INSTALLATION}.kubeadm.cluster_configuration.etcd.local.extraEnvs[0].value`, CONFIG_MAP],
  [`${INSTALLATION}.kubeadm.kubelet_configuration.cgroupDriver`, CONFIG_MAP],
  [`${INSTALLATION}.kubeadm.kube_proxy_configuration.mode`, CONFIG_MAP],
  [`${INSTALLATION}.vim_name`, IN_PLAIN],
  ["vnf-a.package", IN_PLAIN],
  ["vnf-a.heal.all", IN_PLAIN],
])("%s is refused", (setting, why) => {
  const list = setting.includes("[0]") ? { [setting.replace(/\[.*/, "")]: [{}] } : {};
  expect(found(configWith({ ...list, [setting]: secret })).faults).toEqual([
    `vnfm:vnfs.${setting}: is encrypted, ${why}`,
  ]);
});

it("a value for helm install --set is refused, and its place is told", () => {
  const release = {
    helmreleasename: "web",
    exthelmchart: false,
    helmchartfile_path: "c",
    helmparameter: [new Secret("a=hidden")],
  };
  const params = { using_helm_install_param: [release] };
  expect(found({ web: { package: "p", vim: "v", additionalParams: params } }).faults).toEqual([
    "vnfm:vnfs.web.additionalParams.using_helm_install_param[0].helmparameter[0]: is encrypted, key and all; write the value under its key in secret_values",
  ]);
});

it.each<[string, object, string]>([
  ["apiServer.extraArgs.profiling", { apiServer: { extraArgs: { profiling: secret } } }, ARGUMENT],
  ["kubeadm.kubeletExtraArgs.v", { kubeadm: { kubeletExtraArgs: { v: secret } } }, ARGUMENT],
  [
    "kubeadm.kubeProxyConfiguration.mode",
    { kubeadm: { kubeProxyConfiguration: { mode: secret } } },
    CONFIG_MAP,
  ],
  ["kubeadm.preKubeadmCommands[0]", { kubeadm: { preKubeadmCommands: [secret] } }, COMMAND],
  ["kubeadm.postKubeadmCommands[0]", { kubeadm: { postKubeadmCommands: [secret] } }, COMMAND],
  ["controlPlane.metadata.owner", { controlPlane: { metadata: { owner: secret } } }, NOVA],
])("%s of a cluster by a template is refused, in the template too", (setting, value, why) => {
  const fault = `vnfm:vnfs.tenant.${setting}: is encrypted, ${why}`;
  const vnfs = { tenant: templateCluster({ vim: "vnf-a" }), "vnf-a": clusterVnf(1) };
  expect(
    found({ ...vnfs, tenant: { ...vnfs.tenant, ...value } }, { kube: clusterTemplate() }).faults,
  ).toContain(fault);
  const { controlPlane } = clusterTemplate() as { controlPlane: object };
  const merged =
    "controlPlane" in value
      ? { controlPlane: { ...controlPlane, ...(value.controlPlane as object) } }
      : value;
  expect(found(vnfs, { kube: { ...clusterTemplate(), ...merged } }).faults).toContain(fault);
});

it.each<[string, Secret]>([
  ["vnf-a.scale.worker_instance", new Secret(1)],
  ["vnf-a.keepBootVolumes", new Secret(true)],
  [`${INSTALLATION}.management_cidrs[0]`, new Secret("198.51.100.0/24")],
])("%s is refused as a secret of a program, whatever its type is", (setting, value) => {
  const isItem = setting.endsWith("[0]");
  expect(
    found(configWith({ [isItem ? setting.slice(0, -3) : setting]: isItem ? [value] : value })).faults,
  ).toEqual([`vnfm:vnfs.${setting}: is encrypted, ${IN_PLAIN}`]);
});

it("no fault shows an encrypted value", () => {
  const vnfs = configWith({
    "vnf-a.scale.worker_instance": secret,
    "vnf-a.placementPolicy": secret,
    [`${INSTALLATION}.master_node.pod_cidr`]: new Secret("10.244.7.1/16 hidden"),
    "vnf-b.additionalParams.variables": secret,
  });
  const tenant = { ...templateCluster({ vim: "vnf-a" }), kubernetesVersion: secret };
  const { faults } = found({ ...vnfs, tenant }, { kube: clusterTemplate() });
  expect(faults).toContain("vnfm:vnfs.vnf-a.scale.worker_instance: the secret must be integer");
  expect(faults).toContain("vnfm:vnfs.vnf-b.additionalParams.variables: the secret must be object");
  expect(faults.join()).not.toContain("hidden");
});

it("secret numbers and booleans of a program stay what they are in variables and in values of charts", () => {
  const release = {
    ...{ helmreleasename: "web", exthelmchart: false, helmchartfile_path: "c" },
    values: { port: new Secret(80), list: [{ debug: new Secret(false) }, 1] },
  };
  const params = {
    variables: { PORT: new Secret(80), DEBUG: new Secret(true) },
    using_helm_install_param: [release],
  };
  const { vnfs, faults } = found({ web: { package: "p", vim: "v", additionalParams: params } });
  expect(faults).toEqual([]);
  const { variables = {}, using_helm_install_param: [parsed] = [] } = vnfs["web"]?.additionalParams ?? {};
  const revealed = (value: unknown) => (value instanceof Secret ? [value.revealScalar()] : value);
  expect(Object.values(variables).map(revealed)).toEqual([[80], [true]]);
  expect(mapValues(parsed?.values, revealed)).toEqual({ port: [80], list: [{ debug: [false] }, 1] });
});

it("variables, values of charts and files of machines stay secrets", () => {
  const release = {
    ...{ helmreleasename: "web", exthelmchart: false, helmchartfile_path: "c" },
    values: { auth: { password: secret, user: "a" }, list: [{ key: secret }] },
  };
  const params = { variables: { PASSWORD: secret, SIZE: 3 }, using_helm_install_param: [release] };
  const addon = {
    repository: "https://charts.example",
    version: "1.0.0",
    digest: "0".repeat(64),
    values: { key: secret },
  };
  const kubeadm = { files: [{ path: "/etc/key", content: secret }] };
  const tenant = { ...templateCluster({ vim: "vnf-a" }), kubeadm, addons: { flannel: addon } };
  const web = webCnf("web", { vim: "vnf-a" });
  const { vnfs, clusters, faults } = found(
    {
      web: {
        ...web,
        additionalParams: { ...(web as { additionalParams: object }).additionalParams, ...params },
      },
      "vnf-a": clusterVnf(1),
      tenant,
    },
    { kube: clusterTemplate() },
  );
  expect(faults).toEqual([]);
  expect(vnfs["web"]?.additionalParams).toMatchObject(params);
  expect(clusters["tenant"]?.kubeadm.files).toEqual([
    { path: "/etc/key", content: secret, permissions: "0644" },
  ]);
  expect(clusters["tenant"]?.addons["flannel"]?.values).toEqual({ key: secret });
});
