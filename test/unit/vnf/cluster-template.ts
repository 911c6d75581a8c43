import { makeVnfs } from "../../../components/deploy/instance";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../../components/vnfd/package";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";
import { recordResources, settle } from "../../support/mocks";
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
  expect(credential).toMatchObject({ name: "tenant", inputs: { roles: ["member"] } });
  const content = (file: string) => ({ value: { [file]: expect.stringContaining("hidden") as string } });
  expect(inputs("tenant-secret-tenant/tenant-cloud-config")).toMatchObject({
    stringData: content("clouds.yaml"),
  });
  const addonName = "openstack-cloud-controller-manager";
  expect(inputs(`tenant-${addonName}-secret-kube-system/${addonName}-cloud-config`)).toMatchObject({
    stringData: content("cloud.conf"),
  });
});
