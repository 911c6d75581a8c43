/** Options of a cluster by a template, each with its effect on the cloud, on the machines and on the API. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";
import { guestPath } from "../../support/lab";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { OidcIssuer } from "../../support/oidc-issuer";
import { PrivateRegistry } from "../../support/private-registry";
import { TestStack } from "../../support/stack";
import { userOf } from "../../support/user-of";

jest.setTimeout(40 * 60_000);

/** Address of this machine in the lab's networks. */
const HERE = "198.19.0.1";
const [REGISTRY, PORT] = ["registry.example", 5444];
/** A registry that does not exist, but whose mirror does. */
const MIRRORED = "mirrored.example";
const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";
const PAIR = "10.30.0.0/16";

let stack: TestStack;
let registry: PrivateRegistry;
let issuer: OidcIssuer;
let siteCa: string;
let tenant: Cluster;

beforeAll(async () => {
  await labWithClusterApi();
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
    controlPlane: { ...controlPlane, certificatesExpiryDays: 60 },
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
  };
  stack.configure(
    {
      "vnf-a": clusterVnf(1),
      ...(await managementCnfs(stack.folder)),
      tenant: templateCluster({ vim: "vnf-a" }),
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

/** Name and server id of the Node with a label. */
async function nodeOf(selector: string): Promise<{ readonly name: string; readonly serverId: string }> {
  const found = await tenant.kubectl([
    ...["get", "nodes", "-l", selector, "-o"],
    "jsonpath={.items[0].metadata.name} {.items[0].spec.providerID}",
  ]);
  const [name = "", id = ""] = found.split(" ");
  return { name, serverId: id.split("/").at(-1) ?? "" };
}

const worker = () => nodeOf(`!${CONTROL_PLANE}`);

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
  for (const { serverId } of [await worker(), await nodeOf(CONTROL_PLANE)]) {
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

it("the control plane is replaced in time before its certificates end", async () => {
  const management = await stack.cluster("vnf-a");
  try {
    const days = await management.kubectl([
      ...["get", "kubeadmcontrolplane", "-n", "tenant", "-o"],
      "jsonpath={.items[0].spec.rollout.before.certificatesExpiryDays}",
    ]);
    expect(days).toBe("60");
  } finally {
    management.close();
  }
});
