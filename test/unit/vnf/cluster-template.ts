import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import { readVims } from "../../../components/gather/other-stacks";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";
import { recordResources, settle } from "../../support/mocks";
import { kubeconfig } from "../fixtures";
import { adminKubeconfig, clusterOutputs } from "./outputs";

it("a cluster by a template has a credential of its own, whose secret is a secret of each Secret with it", async () => {
  process.env["OS_AUTH_URL"] = "https://cloud.example/v3";
  const addon = { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) };
  const { settings } = parseSettings(
    { "vnf-a": clusterVnf(1), tenant: templateCluster({ vim: "vnf-a", credential: { roles: ["member"] } }) },
    { kube: { ...clusterTemplate(), addons: { "openstack-cloud-controller-manager": addon } } },
  );
  const value = Buffer.from(adminKubeconfig()).toString("base64");
  const recorded = recordResources((resource) => {
    if (resource.name === "tenant-kubeconfig") return { data: { value } };
    if (resource.type.includes("helm")) return { status: { revision: 1 } };
    if (resource.type.includes("applicationCredential")) return { secret: "hidden" };
    return resource.type.startsWith("kubernetes:") ? { metadata: { uid: "u" } } : clusterOutputs(resource);
  });
  makeVnfs(planStack(settings, { loadPackage, readProjectFile: () => "" }));
  await settle();
  delete process.env["OS_AUTH_URL"];
  const inputs = (name: string) => recorded.find((resource) => resource.name === name)?.inputs;
  const credential = recorded.find(({ type }) => type.includes("applicationCredential"));
  expect(credential).toMatchObject({
    name: expect.stringMatching(/^tenant-[0-9a-f]{8}$/) as string,
    inputs: { roles: ["member"] },
  });
  const content = (file: string) => ({ value: { [file]: expect.stringContaining("hidden") as string } });
  expect(inputs("tenant-secret-tenant/tenant-cloud-config")).toMatchObject({
    stringData: content("clouds.yaml"),
  });
  const addonName = "openstack-cloud-controller-manager";
  expect(inputs(`tenant-${addonName}-secret-kube-system/${addonName}-cloud-config`)).toMatchObject({
    stringData: content("cloud.conf"),
  });
});

describe("a cluster by a template whose management cluster is not of the stack", () => {
  const OTHER = { stack: "clusters", vim_name: "kubernetes_vim_vnf-a" };

  const recordedWith = async (vim: object) => {
    process.env["OS_AUTH_URL"] = "https://cloud.example/v3";
    const value = Buffer.from(adminKubeconfig()).toString("base64");
    const recorded = recordResources((resource) => {
      const { type, name } = resource;
      if (type === "pulumi:pulumi:StackReference")
        return {
          outputs: {
            vnfs: { "vnf-a": { vimName: OTHER.vim_name } },
            kubeconfigs: { "vnf-a": kubeconfig("of-other") },
          },
          secretOutputNames: ["kubeconfigs"],
        };
      if (name === "tenant-kubeconfig") return { data: { value } };
      if (type.includes("applicationCredential")) return { secret: "hidden" };
      return type.startsWith("kubernetes:") ? { metadata: { uid: "u" } } : clusterOutputs(resource);
    });
    const plans = planOf(
      { tenant: templateCluster({ vim, controlPlane: { serverGroup: "anti-affinity" } }) },
      { readProjectFile: () => "" },
      { kube: clusterTemplate() },
    );
    const vims = await readVims(plans);
    const made = makeVnfs(plans, () => ({ vims }));
    await settle();
    delete process.env["OS_AUTH_URL"];
    return { recorded, cluster: made["tenant"]?.cluster };
  };

  it.each([
    ["of another stack", OTHER, "of-other"],
    ["given by its kubeconfig", { kubeconfig: kubeconfig("given") }, "given"],
  ])("is made by that %s, with a credential of this stack's cloud, and is a VIM", async (_, vim, user) => {
    const { recorded, cluster } = await recordedWith(vim);
    const providers = recorded.filter(({ type }) => type === "pulumi:providers:kubernetes");
    expect(providers.map(({ name }) => name)).toEqual(["tenant", "tenant-cluster"]);
    expect(providers[0]?.inputs["kubeconfig"]).toMatchObject({ value: kubeconfig(user) });
    const names = recorded.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "tenant-control-plane-servers",
        "tenant-secret-tenant/tenant-cloud-config",
        "tenant-cluster.cluster.x-k8s.io-tenant/tenant",
        "tenant-api",
      ]),
    );
    expect(recorded.some(({ type }) => type.includes("applicationCredential"))).toBe(true);
    const api = recorded.find(({ name }) => name === "tenant-api");
    expect(JSON.stringify(api?.inputs)).toContain(`${user}-token`);
    expect(cluster?.vimName).toBe("kubernetes_vim_tenant");
  });
});
