/** CNFs of Helm releases on a kubeadm cluster. The steps build on each other. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Cluster } from "../../support/cluster";
import { REPOSITORY } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { recover, upKilledWhen } from "../../support/cut-off";
import { certManagerCnf, labWithClusterApi, releaseCnf } from "../../support/management-cluster";
import { expectRebuilt } from "../../support/lost-state";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { objectsCnf } from "../../support/workload-cluster";

jest.setTimeout(20 * 60_000);

const PASSWORD = "a password of the chart";
const AGENT = "agent-package";

let stack: TestStack;
let kubernetes: Cluster;

/** Returns the web CNF of vnfm's package, by its chart. */
const web = (level: number, param: object = {}) => ({
  package: "vnf-packages/web-cnf",
  vim: "vnf-a",
  scale: { web_aspect: level },
  readyTimeout: "90s",
  additionalParams: {
    namespace: "web",
    use_helm: true,
    using_helm_install_param: [
      {
        helmreleasename: "web",
        helmchartfile_path: "Files/charts/web",
        secret_values: { password: PASSWORD },
        ...param,
      },
    ],
    helm_replica_values: { web_aspect: "replicaCount" },
    vdu_mapping: { web: { kind: "Deployment", name: "web" } },
  },
});

beforeAll(async () => {
  await labWithClusterApi();
  stack = await TestStack.create("helm", { "vnf-a": clusterVnf(1), web: web(0) });
});

afterAll(async () => {
  kubernetes?.close();
  await stack?.remove();
});

interface Release {
  readonly metadata: { readonly labels: { readonly status: string; readonly version: string } };
}

/** Returns Helm's own records of a release, as of `helm history`. */
const history = async (namespace: string) =>
  [...(await kubernetes.list<Release>("secrets", "-n", namespace, "-l", "owner=helm"))]
    .sort((a, b) => Number(a.metadata.labels.version) - Number(b.metadata.labels.version))
    .map(({ metadata: { labels } }) => `${labels.version} ${labels.status}`);

const page = () => kubernetes.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"]);

it("vnfm installs a release of the package's chart with the cluster, in one run", async () => {
  await stack.mustUp();
  kubernetes = await stack.cluster("vnf-a");
  expect(await page()).toBe("<h1>web-cnf</h1>");
  expect(await history("web")).toEqual(["1 deployed"]);
  const { vnfcs, endpoints } = await stack.vnf("web");
  expect(vnfcs).toEqual([{ vdu: "web", kind: "Deployment", namespace: "web", name: "web", replicas: 2 }]);
  expect(endpoints).toMatchObject([{ name: "web", type: "NodePort", ports: [{ port: 80 }] }]);
});

it("the stack has nothing left to do afterwards, and no secret in plain", async () => {
  expect(await stack.changes()).toEqual([]);
  expect(await stack.state()).not.toContain(PASSWORD);
});

it("the CNF scales by the VNFD's aspect, and says which object changes", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1) });
  expect(await stack.changes()).toEqual([
    "update web-helm-web/web",
    "update web-helm-web/web-deployment-web/web",
    "update web-helm-web/web-ready",
  ]);
  await stack.mustUp();
  expect(await history("web")).toEqual(["1 superseded", "2 deployed"]);
  const [deployment] = await kubernetes.list<{ spec: { replicas: number } }>("deployments", "-n", "web");
  expect(deployment?.spec.replicas).toBe(3);
});

it("the failed run says why an upgrade fails, while the CNF goes on, and takes it back with the former values", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1, { helmparameter: ["image=nginx:no-such"] }) });
  const { status, stdout, stderr } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain("Deployment web/web is not ready after 90 s");
  expect(stdout + stderr).toMatch(/ErrImagePull|ImagePullBackOff|image nginx:no-such/);
  expect(await page()).toBe("<h1>web-cnf</h1>");
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1) });
  await stack.mustUp();
  expect((await history("web")).at(-1)).toBe("4 deployed");
  expect(await stack.changes()).toEqual([]);
});

it("the setting atomic lets Helm take a failed upgrade back where it is asked to", async () => {
  const failing = { atomic: true, helmparameter: ["image=nginx:no-such"] };
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1, failing) });
  expect((await stack.up()).status).not.toBe(0);
  expect((await history("web")).slice(-2)).toEqual(["5 failed", "6 deployed"]);
  expect(await page()).toBe("<h1>web-cnf</h1>");
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1) });
  await stack.mustUp();
});

it("the release goes on after a kill in the middle of an upgrade, once it is recovered", async () => {
  // Helm itself waits, and pods with this image never start
  stack.configure({
    "vnf-a": clusterVnf(1),
    web: web(1, { atomic: true, helmparameter: ["image=nginx:no-such"] }),
  });
  const isPending = async () => (await history("web")).some((revision) => revision.includes("pending"));
  await upKilledWhen(stack, isPending, 2000);
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1) });
  expect(await recover(stack)).toMatch(/^web-helm-web\/web: Helm's revision \d+ was interrupted/m);
  await stack.mustUp();
  expect((await history("web")).at(-1)).toContain("deployed");
  expect(await page()).toBe("<h1>web-cnf</h1>");
  expect(await stack.changes()).toEqual([]);
});

/** Returns a CNF with the release `agent`, whose chart contains this object, or a template with this text. */
function agentCnf(object: object | string): object {
  const chart = join(stack.folder, AGENT, "Files/charts/agent");
  rmSync(join(stack.folder, AGENT), { recursive: true, force: true });
  cpSync(join(REPOSITORY, "vnf-packages/web-cnf"), join(stack.folder, AGENT), { recursive: true });
  mkdirSync(join(chart, "templates"), { recursive: true });
  writeFileSync(join(chart, "Chart.yaml"), stringify({ apiVersion: "v2", name: "agent", version: "1.0.0" }));
  const template = typeof object === "string" ? object : stringify(object);
  writeFileSync(join(chart, "templates/agent.yaml"), template);
  const release = releaseCnf("agent", { helmchartfile_path: "Files/charts/agent" }, {});
  return { ...release, package: AGENT, readyTimeout: "30s" };
}

/** DaemonSet whose pods do not start, although Helm considers it ready. */
const DAEMONS = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent" },
  spec: {
    selector: { matchLabels: { app: "agent" } },
    template: {
      metadata: { labels: { app: "agent" } },
      spec: { containers: [{ name: "agent", image: "nginx:1.27", command: ["/no-such-program"] }] },
    },
  },
};

/** Hook that never ends. */
const HOOK = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "migrate", annotations: { "helm.sh/hook": "post-install,post-upgrade" } },
  spec: {
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "migrate", image: "nginx:1.27", command: ["sleep", "infinity"] }],
      },
    },
  },
};

/** Template whose calls double at each level, and one that needs at least 2.4 GB of memory. */
const ENDLESS = `{{- define "x" }}{{ if . }}{{ template "x" (rest .) }}{{ template "x" (rest .) }}{{ end }}{{ end -}}
{{ template "x" (until 60) }}`;
const LARGE = "{{ range until 300000000 }}{{ end }}";

it.each([
  [LARGE, "it takes more than 1073741824 bytes of memory"],
  [ENDLESS, "it takes more than 30 s"],
])("the preview refuses a chart that would hold the machine: %s", async (template, message) => {
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1), agent: agentCnf(template) });
  const { status, stdout, stderr } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain(
    `using_helm_install_param[0]: the chart of agent cannot be rendered: ${message}`,
  );
  expect(await history("agent")).toEqual([]);
});

const POLICY = `plan:
  additionalProperties:
    properties:
      pods:
        additionalProperties:
          properties: { images: { items: { pattern: "^(?!nginx:)", description: images are not nginx } } }
`;

it("the cluster has a policy refuse a hook's image, and shows the hook in the preview without it", async () => {
  const others = { "vnfm:policy": "policy.yaml" };
  writeFileSync(join(stack.folder, "policy.yaml"), POLICY);
  const agent = agentCnf(HOOK);
  stack.configure({ "vnf-a": clusterVnf(1), agent }, others);
  const { status, stdout, stderr } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain(
    'plan.agent.pods["Job agent/migrate"].images[0]: "nginx:1.27" violates the policy: images are not nginx',
  );
  expect(await history("agent")).toEqual([]);
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1), agent });
  expect(await stack.changes()).toContain("create agent-helm-agent/agent-hook-job-agent/migrate");
});

it("vnfm ends with an error where a hook of the chart does not end in time", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1), agent: agentCnf(HOOK) });
  const { status, stdout, stderr } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout + stderr).toMatch(/post-install|hook/);
  expect(await history("agent")).toEqual(["1 failed"]);
});

it("the failed run tells a DaemonSet whose pods do not start", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), web: web(1), agent: agentCnf(DAEMONS) });
  const { status, stdout, stderr } = await stack.up();
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain("DaemonSet agent/agent is not ready after 30 s");
  expect(stdout + stderr).toContain("/no-such-program");
});

it("the stack gives charts and manifests values that other instances of the same run have", async () => {
  const links = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "links" } };
  const objects = [{ ...links, data: { web: "http://${ADDRESS}:${PORT}/" } }];
  const variables = {
    ADDRESS: { get_attribute: ["vnf-a", "vnfcs", "masterNode-1", "addresses", "masterNode_CP1"] },
    PORT: { get_attribute: ["web", "endpoints", "web", "ports", 0, "nodePort"] },
  };
  stack.configure({
    links: objectsCnf(stack.folder, "links-package", "vnf-a", objects, { variables }),
    web: web(1, { values: { page: { get_attribute: ["vnf-a", "apiUrl"] } } }),
    "vnf-a": clusterVnf(1),
  });
  await stack.mustUp();
  const { apiUrl } = await stack.vnf("vnf-a");
  const port = (await stack.vnf("web")).endpoints[0]?.ports[0]?.nodePort;
  const [made] = await kubernetes.list<{ data: object }>(
    "configmaps",
    "--field-selector=metadata.name=links",
  );
  expect(made?.data).toEqual({ web: `http://${new URL(apiUrl).hostname}:${port}/` });
  await until(60, "the new page", async () => (await page()) === apiUrl);
  expect(await stack.changes()).toEqual([]);
});

const ISSUER = { apiVersion: "cert-manager.io/v1", kind: "Issuer", metadata: { name: "own" } };
const CERTIFICATE = {
  ...ISSUER,
  kind: "Certificate",
  spec: { secretName: "own-tls", dnsNames: ["web.example"], issuerRef: { name: "own" } },
};

it("vnfm installs a repository's chart, and what needs its definitions after it", async () => {
  const objects = [{ ...ISSUER, spec: { selfSigned: {} } }, CERTIFICATE];
  const withCertificates = {
    "vnf-a": clusterVnf(1),
    web: web(1),
    certificates: objectsCnf(stack.folder, "certificates-package", "vnf-a", objects),
    "cert-manager": await certManagerCnf(),
  };
  stack.configure(withCertificates);
  await stack.mustUp();
  expect(await history("agent")).toEqual([]);
  const [secret] = await kubernetes.list<{ data: object }>(
    "secrets",
    "--field-selector=metadata.name=own-tls",
  );
  expect(Object.keys(secret?.data ?? {})).toContain("tls.crt");
  expect(await stack.changes()).toEqual([]);
});

it("the lost state is made again, with the releases", async () => {
  await expectRebuilt(stack);
});

it("vnfm removes releases with all that they have made, in the order of what needs them", async () => {
  stack.configure({ "vnf-a": clusterVnf(1) });
  await stack.mustUp();
  const left = await kubernetes.kubectl(["get", "crds,deployments,daemonsets,services", "-A", "-o", "name"]);
  expect(left).not.toMatch(/cert-manager|web|agent/);
});
