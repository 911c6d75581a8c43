/**
 * A cluster with `hardening: cis`, with one control-plane node and then with three: it passes the CIS Benchmark,
 * requests that need no credentials still work, and a new encryption key loses no Secret. The steps of a cluster build
 * on each other.
 */
import type { Cluster } from "../../support/cluster";
import { run } from "../../support/command";
import { clusterVnf, haClusterVnf, kubeadmCluster, webCnf } from "../../support/configs";
import { onServer } from "../../support/guest";
import { failedChecks } from "../../support/kube-bench";
import { TestStack } from "../../support/stack";
import { FROM } from "../../support/versions";
import { writeDuring } from "../../support/writes";

jest.setTimeout(45 * 60_000);

const HARDENED = { hardening: "cis", kubernetes_version: FROM };
const PKI = "/etc/kubernetes/pki/etcd";

const clusterOf = async (stack: TestStack) => stack.cluster("vnf-a");

/** Returns the value of a Secret in etcd. */
const stored = (cluster: Cluster, secret: string) =>
  cluster.kubectl([
    ...["exec", "-n", "kube-system", "etcd-vnf-a-masternode-1", "--", "etcdctl"],
    ...[`--cacert=${PKI}/ca.crt`, `--cert=${PKI}/server.crt`, `--key=${PKI}/server.key`],
    ...["get", `/registry/secrets/${secret}`],
  ]);

/** Returns the name of the key by which a Secret is encrypted in etcd. */
const keyOf = async (cluster: Cluster, secret: string) =>
  /k8s:enc:secretbox:v1:(key-[0-9a-f]{8}):/.exec(await stored(cluster, secret))?.[1];

/** Returns the HTTP status of a request without credentials. */
const anonymous = async (cluster: Cluster, path: string) => {
  const url = (
    await cluster.kubectl(["config", "view", "-o", "jsonpath={.clusters[0].cluster.server}"])
  ).trim();
  const { stdout } = await run("curl", ["-sk", "-o", "/dev/null", "-w", "%{http_code}", url + path]);
  return Number(stdout);
};

describe("a cluster of one master", () => {
  let stack: TestStack;
  let cluster: Cluster;

  const configure = (changes: object = {}, workers = 1) =>
    stack.configure({ "vnf-a": { ...clusterVnf(workers, HARDENED), ...changes }, web: webCnf("web") });

  const page = () => cluster.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"]);

  beforeAll(async () => {
    stack = await TestStack.create("hardening", {});
    configure();
    await stack.mustUp();
    cluster = await clusterOf(stack);
  });

  afterAll(async () => {
    cluster?.close();
    await stack?.remove();
  });

  it("comes up with a CNF on it, and is as it is declared", async () => {
    expect(await cluster.readyNodes()).toHaveLength(2);
    expect(await page()).toContain("<h1>web-cnf</h1>");
    expect(await stack.changes()).toEqual([]);
  });

  it("writes who did what, without what was in it", async () => {
    const password = "in no log";
    await cluster.kubectl(["create", "secret", "generic", "audited", `--from-literal=password=${password}`]);
    const log = await onServer(stack, "masterNode-1", "cat /var/log/kubernetes/audit/audit.log");
    expect(log).toMatch(/"verb":"create".*"resource":"secrets".*"name":"audited"/);
    expect(log).not.toContain(Buffer.from(password).toString("base64"));
    expect(log).not.toContain('"requestURI":"/readyz"');
  });

  it("has Secrets encrypted in etcd", async () => {
    expect(await keyOf(cluster, "default/audited")).toBeDefined();
    expect(await keyOf(cluster, "kube-system/vnfm-token")).toBeDefined();
  });

  it("refuses a privileged pod in a namespace without labels, and takes one that is not", async () => {
    const pod = (name: string, privileged: boolean) =>
      JSON.stringify({
        ...{ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "plain" } },
        spec: {
          containers: [{ name: "c", image: "nginx:1.27", securityContext: { privileged } }],
        },
      });
    await cluster.kubectl(["create", "namespace", "plain"]);
    const { status, stderr } = await cluster.tryKubectl(["apply", "-f", "-"], pod("privileged", true));
    expect(status).not.toBe(0);
    expect(stderr).toContain('violates PodSecurity "baseline:latest"');
    await cluster.kubectl(["apply", "-f", "-"], pod("other", false));
    await cluster.kubectl(["wait", "-n", "plain", "--for=condition=Ready", "pod/other", "--timeout=120s"]);
  });

  it("answers without credentials to health checks and to nodes that join alone", async () => {
    const clusterInfo = "/api/v1/namespaces/kube-public/configmaps/cluster-info";
    for (const path of ["/healthz", "/livez", "/readyz", clusterInfo])
      expect([path, await anonymous(cluster, path)]).toEqual([path, 200]);
    for (const path of ["/version", "/api", "/api/v1/namespaces", "/metrics"])
      expect([path, await anonymous(cluster, path)]).toEqual([path, 401]);
  });

  it("profiles nothing, and has kubelets with the benchmark's settings and files of root alone", async () => {
    expect((await cluster.tryKubectl(["get", "--raw", "/debug/pprof/"])).status).not.toBe(0);
    const config = await cluster.kubectl(["get", "--raw", "/api/v1/nodes/vnf-a-workernode-1/proxy/configz"]);
    expect(JSON.parse(config)).toMatchObject({
      kubeletconfig: {
        ...{ seccompDefault: true, podPidsLimit: 4096, eventRecordQPS: 50 },
        streamingConnectionIdleTimeout: "5m0s",
      },
    });
    for (const vnfc of ["masterNode-1", "workerNode-1"])
      expect(await onServer(stack, vnfc, "stat -c %a /var/lib/kubelet/config.yaml")).toBe("600\n");
  });

  it("passes the CIS Benchmark, but for what docs/hardening.md says is not done", async () => {
    const { vnfcs } = await stack.vnf("vnf-a");
    const failed = (vnfc: string, targets: readonly string[]) =>
      failedChecks(vnfcs[vnfc]?.serverId ?? "", targets);
    expect(await failed("masterNode-1", ["master", "etcd", "controlplane"])).toEqual(["1.1.12", "1.2.5"]);
    expect(await failed("workerNode-1", ["node"])).toEqual([]);
  });

  it("takes another worker", async () => {
    configure({}, 2);
    await stack.mustUp();
    expect(await cluster.readyNodes()).toHaveLength(3);
  });

  it("has all Secrets encrypted with another key by a token, and the former key nowhere", async () => {
    const former = await keyOf(cluster, "default/audited");
    configure({ rotate: { encryption_key: "1" } }, 2);
    await stack.mustUp();
    const present = await keyOf(cluster, "default/audited");
    expect(present).toBeDefined();
    expect(present).not.toBe(former);
    expect(await keyOf(cluster, "kube-system/vnfm-token")).toBe(present);
    expect(
      await onServer(stack, "masterNode-1", "grep -o 'key-[0-9a-f]*' /etc/kubernetes/encryption.yaml"),
    ).toBe(`${present}\n`);
    expect(await cluster.kubectl(["get", "secret", "audited", "-o", "jsonpath={.data.password}"])).not.toBe(
      "",
    );
    expect(await stack.changes()).toEqual([]);
  });

  it("has another audit policy by a change, with the API server started anew", async () => {
    const apiServer = { auditPolicy: { rules: [{ level: "RequestResponse", resources: [{ group: "" }] }] } };
    configure({ ...clusterVnf(2, { ...HARDENED, apiServer }), rotate: { encryption_key: "1" } }, 2);
    await stack.mustUp();
    await cluster.kubectl(["create", "configmap", "audited", "--from-literal=key=in-the-log"]);
    const log = await onServer(stack, "masterNode-1", "tail -n 2000 /var/log/kubernetes/audit/audit.log");
    expect(log).toContain("in-the-log");
  });

  it("keeps its Secrets when the master is healed", async () => {
    configure({ rotate: { encryption_key: "1" }, heal: { "masterNode-1": "1" } }, 2);
    await stack.mustUp();
    expect(await cluster.readyNodes()).toHaveLength(3);
    expect(await cluster.kubectl(["get", "secret", "audited", "-o", "jsonpath={.data.password}"])).not.toBe(
      "",
    );
    expect(await page()).toContain("<h1>web-cnf</h1>");
    expect(await stack.changes()).toEqual([]);
  });
});

describe("a cluster of three masters behind HAProxy", () => {
  let stack: TestStack;
  let cluster: Cluster;

  const MASTERS = [1, 2, 3].map((i) => `masterNode-${i}`);
  const configure = (changes: object = {}) =>
    stack.configure({
      "vnf-a": haClusterVnf(3, 1, { additionalParams: kubeadmCluster(HARDENED), ...changes }),
    });

  /** Returns the names of the encryption keys on each control-plane node. */
  const keys = () =>
    Promise.all(
      MASTERS.map((vnfc) => onServer(stack, vnfc, "grep -o 'key-[0-9a-f]*' /etc/kubernetes/encryption.yaml")),
    );

  beforeAll(async () => {
    stack = await TestStack.create("hardening-ha", {});
    configure();
    await stack.mustUp();
    cluster = await clusterOf(stack);
  });

  afterAll(async () => {
    cluster?.close();
    await stack?.remove();
  });

  it("has one key on all of them", async () => {
    expect(await cluster.readyNodes()).toHaveLength(4);
    expect(new Set(await keys()).size).toBe(1);
    expect(await keyOf(cluster, "kube-system/vnfm-token")).toBe((await keys())[0]?.trim());
  });

  it("changes it while the API goes on", async () => {
    const [former] = await keys();
    configure({ rotate: { encryption_key: "1" } });
    const [, written] = await writeDuring(cluster, () => stack.mustUp());
    expect(written.lostWrites).toEqual([]);
    const present = new Set(await keys());
    expect(present.size).toBe(1);
    expect(present).not.toContain(former);
    expect(await stack.changes()).toEqual([]);
  });

  it("gives it to a master that is healed", async () => {
    const before = await keys();
    configure({ rotate: { encryption_key: "1" }, heal: { "masterNode-2": "1" } });
    await stack.mustUp();
    expect(await keys()).toEqual(before);
    expect(await cluster.readyNodes()).toHaveLength(4);
    expect(await stack.changes()).toEqual([]);
  });
});
