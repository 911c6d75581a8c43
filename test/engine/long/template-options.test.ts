/** Options of a cluster by a template, each with its effect on the cloud, on the machines and on the API. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { guestPath } from "../../support/lab";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { OidcIssuer } from "../../support/oidc-issuer";
import { PrivateRegistry } from "../../support/private-registry";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { userOf } from "../../support/user-of";

jest.setTimeout(40 * 60_000);

/** Address of this machine in the lab's networks. */
const HERE = "198.19.0.1";
const [REGISTRY, PORT] = ["registry.example", 5444];
/** A registry that does not exist, but whose mirror does. */
const MIRRORED = "mirrored.example";
const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
const PAIR = "10.30.0.0/16";
/** A group of machines that an autoscaler scales, from zero. */
const AUTOSCALED = "batch";

let stack: TestStack;
let registry: PrivateRegistry;
let issuer: OidcIssuer;
let siteCa: string;
let tenant: Cluster;

beforeAll(async () => {
  await labWithClusterApi();
  // they have the image of the autoscaler
  await mustRun("lab/lab.sh", ["addons"]);
  stack = await TestStack.create("template-options", {});
  registry = await PrivateRegistry.start(join(stack.folder, "registry"), HERE, PORT, [REGISTRY]);
  issuer = await OidcIssuer.start(join(stack.folder, "issuer"), HERE);
  const ca = ["req", "-x509", "-newkey", "ed25519", "-noenc", "-keyout", "/dev/null", "-subj", "/CN=site"];
  siteCa = execFileSync("openssl", ca, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const { controlPlane, network, apiServer, ...others } = clusterTemplate() as Record<string, object>;
  const place = `${REGISTRY}:${PORT}`;
  const enforce = {
    defaults: { enforce: "baseline" },
    exemptions: { namespaces: ["kube-system", "kube-flannel"] },
  };
  const configuration = {
    ...{ apiVersion: "pod-security.admission.config.k8s.io/v1", kind: "PodSecurityConfiguration" },
    ...enforce,
  };
  const template = {
    ...others,
    addons: { flannel: await labAddon("flannel") },
    controlPlane,
    nodeGroup: { flavor: "m1.small", additionalPorts: [{ network: "public", allowedAddresses: [PAIR] }] },
    network: { ...network, bastion: { flavor: "m1.small", image: "debian-12" } },
    apiServer: {
      ...apiServer,
      oidc: { issuerUrl: issuer.url, clientId: "kube", groupsClaim: "groups", ca: issuer.certificate },
      admissionConfiguration: { plugins: [{ name: "PodSecurity", configuration }] },
    },
    kubeadm: { preKubeadmCommands: [`echo ${HERE} ${REGISTRY} >>/etc/hosts`] },
    registryMirrors: { [MIRRORED]: [`https://${place}`] },
    registryCertificates: { [place]: registry.certificate },
    registryLogins: { [place]: PrivateRegistry.login, [MIRRORED]: PrivateRegistry.login },
    trustedCertificates: [siteCa],
    autoscaler: {},
  };
  const nodeGroups = {
    default: { replicas: 1 },
    [AUTOSCALED]: { autoscaling: { min: 0, max: 2 }, labels: { pool: AUTOSCALED }, additionalPorts: [] },
  };
  stack.configure(
    {
      "vnf-a": clusterVnf(1),
      ...(await managementCnfs(stack.folder)),
      tenant: templateCluster({ vim: "vnf-a", nodeGroups }),
    },
    { "vnfm:clusterTemplates": { kube: template } },
  );
  await stack.mustUp();
  tenant = await stack.cluster("tenant");
});

afterAll(async () => {
  tenant?.close();
  registry?.close();
  issuer?.close();
  await stack?.remove();
});

const worker = () => tenant.node(`!${CONTROL_PLANE},pool!=${AUTOSCALED}`);

it("the cluster comes up with all of them, and has nothing left to do", async () => {
  expect(await tenant.readyNodes()).toHaveLength(2);
  expect(await stack.changes()).toEqual([]);
});

it("the cluster has a bastion with a floating IP, which answers over SSH", async () => {
  const { servers } = await stack.cloud.get<{
    servers: {
      name: string;
      status: string;
      addresses: Record<string, { addr: string; version: number }[]>;
    }[];
  }>("compute", "/servers/detail");
  const bastion = servers.find(({ name }) => name === "tenant-bastion");
  expect(bastion?.status).toBe("ACTIVE");
  const addresses = Object.values(bastion?.addresses ?? {}).flat();
  expect(addresses.map(({ addr }) => addr.replace(/\.\d+$/, ""))).toEqual(["10.6.0", "198.19.0"]);
});

it("each worker has a port more, which may send from the addresses of the template", async () => {
  const { serverId } = await worker();
  const { ports } = await stack.cloud.get<{
    ports: { network_id: string; allowed_address_pairs: { ip_address: string }[] }[];
  }>("network", `/v2.0/ports?device_id=${serverId}`);
  expect(ports).toHaveLength(2);
  expect(ports.flatMap(({ allowed_address_pairs: pairs }) => pairs.map((pair) => pair.ip_address))).toEqual([
    PAIR,
  ]);
});

it("kubelets pull images of a private registry with its login and CA, and of a mirror", async () => {
  const { name: nodeName } = await worker();
  const pod = (name: string, server: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: "private" } },
    spec: {
      nodeName,
      containers: [{ name, image: `${server}/private/app:1`, command: ["/bin/sh", "-c", "exec sleep 3600"] }],
    },
  });
  const items = [pod("near", `${REGISTRY}:${PORT}`), pod("mirrored", MIRRORED)];
  await tenant.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  await tenant.kubectl(["wait", "pod", "-l", "app=private", "--for=condition=Ready", "--timeout=120s"]);
});

it("machines trust the CA of the site", async () => {
  for (const { serverId } of [await worker(), await tenant.node(CONTROL_PLANE)]) {
    const file = guestPath(serverId, "etc/ssl/certs/ca-certificates.crt");
    expect(existsSync(file) ? readFileSync(file, "utf8") : "").toContain(siteCa);
  }
});

it("the API knows a user of the issuer of OpenID Connect, with the groups of the token", async () => {
  const token = issuer.token("kube", { sub: "alice", groups: ["operators"] });
  expect(await userOf(token, await stack.kubeconfig("tenant"))).toMatchObject({
    ...{ username: `${issuer.url}#alice`, groups: ["operators", "system:authenticated"] },
  });
});

it("the API refuses pods that the admission configuration does not allow", async () => {
  const { status, stderr } = await tenant.tryKubectl([
    ...["run", "asks", "--namespace=default", "--image=docker.io/library/busybox:1.36"],
    '--overrides={"spec": {"hostNetwork": true}}',
  ]);
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'),
  ]);
});

describe("the autoscaler of the cluster", () => {
  const machines = () => stack.cloud.flavorsOfServers();
  const count = async () =>
    (await machines()).filter(([name]) => name.startsWith(`tenant-${AUTOSCALED}-`)).length;

  it("makes a machine for a pod that waits for one, which the next update leaves as it is", async () => {
    expect(await count()).toBe(0);
    const pod = {
      ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "job" } },
      spec: {
        nodeSelector: { pool: AUTOSCALED },
        containers: [{ name: "job", image: "docker.io/library/busybox:1.36", command: ["sleep", "3600"] }],
      },
    };
    await tenant.kubectl(["apply", "-f", "-"], JSON.stringify(pod));
    await tenant.kubectl(["wait", "pod", "job", "--for=condition=Ready", "--timeout=300s"]);
    expect(await count()).toBe(1);
    expect(await stack.changes()).toEqual([]);
  });

  it("deletes the machine that has no pods any more", async () => {
    await tenant.kubectl(["delete", "pod", "job", "--now"]);
    await until(300, "the machine to go", async () => (await count()) === 0);
    // Cluster API deletes the Node after its server
    await until(120, "the Node to go", async () => (await tenant.readyNodes()).length === 2);
    expect(await stack.changes()).toEqual([]);
  });

  it("may change the groups of its cluster, and nothing else of the management cluster", async () => {
    const management = await stack.cluster("vnf-a");
    const may = async (verb: string, what: string, namespace = "tenant") => {
      const as = "--as=system:serviceaccount:tenant:tenant-autoscaler";
      const { stdout } = await management.tryKubectl(["auth", "can-i", verb, what, "-n", namespace, as]);
      return stdout.trim();
    };
    try {
      expect(await may("update", "machinedeployments.cluster.x-k8s.io/scale")).toBe("yes");
      expect(await may("update", "machinedeployments.cluster.x-k8s.io/scale", "default")).toBe("no");
      expect(await may("get", "secrets")).toBe("no");
      expect(await may("delete", "machines.cluster.x-k8s.io")).toBe("no");
    } finally {
      management.close();
    }
  });
});
