import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import { encryptionConfiguration } from "../../../components/kube/cluster/encryption";
import { Secret } from "../../../components/base/secret";
import { clusterVnf, haClusterVnf, kubeadmCluster } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { recordedScript } from "../../support/script-steps";
import { clusterOutputs } from "./outputs";

const HARDENED = { hardening: "cis", kubernetes_version: "v1.33.0" };
const MADE = Buffer.from("m".repeat(32)).toString("base64");

let recorded: RecordedResource[];

async function make(vnf: object): Promise<void> {
  recorded = recordResources((resource) => {
    if (resource.name.endsWith("-encryption-key")) return { stdout: MADE };
    return resource.name.endsWith("-encryption") ? { stdout: "of another\n" } : clusterOutputs(resource);
  });
  makeVnfs(planOf({ "vnf-a": vnf }));
  await settle();
}

const found = (name: string) => recorded.find((resource) => resource.name === `vnf-a-${name}`);
const dataOf = (name: string) => recordedScript(recorded, `vnf-a-${name}`).data;
const configuration = (key: string) => encryptionConfiguration([new Secret(key)]).trimEnd();
const steps = () =>
  recorded.map(({ name }) => name.replace("vnf-a-", "")).filter((name) => name.includes("-api-server-"));

describe("the files of API servers", () => {
  it("are none without such settings", async () => {
    await make(clusterVnf(1));
    expect(steps()).toEqual([]);
    expect(found("encryption-key")).toBeUndefined();
    expect(dataOf("masterNode-1-init")).toContain("encryption_config=''\n");
  });

  it("have a key that is made once, with which the cluster begins", async () => {
    await make(clusterVnf(1, HARDENED));
    expect(found("encryption-key")?.inputs).toEqual({
      create: "head -c 32 /dev/urandom | base64 -w0",
      ...{ logging: "none", addPreviousOutputInEnv: false },
    });
    expect(dataOf("masterNode-1-init")).toContain(`encryption_config='${configuration(MADE)}'\n`);
    expect(steps()).toEqual(["know", "use", "forget"].map((step) => `masterNode-1-api-server-${step}`));
    // policies exist before kubeadm runs, only on control-plane nodes
    const policy = / \/etc\/kubernetes\/audit-policy\.yaml /;
    expect(dataOf("masterNode-1-prepare")).toMatch(policy);
    expect(dataOf("workerNode-1-prepare")).not.toMatch(policy);
    expect(dataOf("workerNode-1-prepare")).toContain(
      "/etc/systemd/system/kubelet.service.d/20-file-modes.conf ",
    );
  });

  it("have another key with another token", async () => {
    const environmentOf = async (encryption_key: string) => {
      await make({ ...clusterVnf(1, HARDENED), rotate: { encryption_key } });
      const { update, environment } = found("encryption-key")?.inputs ?? {};
      expect(update).toBe("head -c 32 /dev/urandom | base64 -w0");
      return environment;
    };
    expect(await environmentOf("1")).not.toEqual(await environmentOf("2"));
  });

  it("have the keys of the stack config, and change on each master in turn, one step on all before the next", async () => {
    const key = Buffer.from("k".repeat(32)).toString("base64");
    const additionalParams = kubeadmCluster({ apiServer: { encryptionKeys: [key] } });
    await make(haClusterVnf(3, 1, { additionalParams }));
    expect(found("encryption-key")).toBeUndefined();
    expect(steps()).toEqual(
      ["know", "use", "forget"].flatMap((step) => [1, 2, 3].map((i) => `masterNode-${i}-api-server-${step}`)),
    );
    expect(dataOf("masterNode-3-api-server-use")).toContain(`encryption_config='${configuration(key)}'\n`);
  });
});

describe("k8s-keystone-auth", () => {
  const keystone = { authUrl: "https://keystone.example/v3", roles: { operator: ["operators"] } };
  const auth = () => recorded.flatMap(({ name }) => (name.endsWith("-keystone-auth") ? [name] : []));

  it("runs on each master, with its files and commands, and on no worker", async () => {
    await make(haClusterVnf(3, 1, { additionalParams: kubeadmCluster({ apiServer: { keystone } }) }));
    expect(auth()).toEqual([1, 2, 3].map((i) => `vnf-a-masterNode-${i}-keystone-auth`));
    const data = dataOf("masterNode-2-keystone-auth");
    expect(data).toContain("node_name='vnf-a-masternode-2'\n");
    expect(data).toMatch(/^files='0644 \/etc\/kubernetes\/keystone-auth\/roles\.yaml /m);
    expect(data).toContain("--keystone-url=https://keystone.example/v3\n");
    expect(data).toMatch(/^after='kubectl .* apply -f \/etc\/kubernetes\/keystone-auth\/rbac\.yaml'$/m);
    expect(dataOf("masterNode-2-prepare")).toContain("0644 /etc/kubernetes/keystone-auth/webhook.yaml ");
    expect(dataOf("workerNode-1-prepare")).not.toContain("keystone-auth");
  });

  it("is set up after the API servers have their files", async () => {
    const apiServer = { keystone, auditPolicy: { rules: [{ level: "Metadata" }] } };
    await make(clusterVnf(1, { apiServer }));
    const names = recorded.map(({ name }) => name);
    const [know, keystoneAuth] = ["api-server-know", "keystone-auth"].map((step) =>
      names.indexOf(`vnf-a-masterNode-1-${step}`),
    );
    expect(know).toBeGreaterThan(0);
    expect(keystoneAuth).toBeGreaterThan(know ?? Infinity);
  });

  it("does not run without the setting", async () => {
    await make(clusterVnf(1));
    expect(auth()).toEqual([]);
  });
});
