import { makeVnfs } from "../../../components/deploy/instance";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { clusterVnf } from "../../support/configs";
import { recordResources, settle } from "../../support/mocks";
import { recordedScript } from "../../support/script-steps";
import { clusterOutputs } from "./outputs";

it("a cluster with a cloud provider tells each kubelet its server, and its addons its own credential", async () => {
  process.env["OS_AUTH_URL"] = "https://cloud.example/v3";
  const addon = { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) };
  const name = "openstack-cloud-controller-manager";
  const { settings } = parseSettings({
    "vnf-a": clusterVnf(1, { cloud_provider: "openstack", addons: { [name]: addon } }),
  });
  const recorded = recordResources((resource) => {
    if (resource.type.includes("helm")) return { status: { revision: 1 } };
    if (resource.type.includes("applicationCredential")) return { secret: "hidden" };
    return resource.type.startsWith("kubernetes:") ? { metadata: { uid: "u" } } : clusterOutputs(resource);
  });
  makeVnfs(planStack(settings, { loadPackage, readProjectFile: () => undefined }), () => ({
    credentialRoles: ["member", "load-balancer_member"],
  }));
  await settle();
  delete process.env["OS_AUTH_URL"];
  const inputs = (of: string) => recorded.find((resource) => resource.name === of)?.inputs;
  const dataOf = (of: string) => recordedScript(recorded, of).data;
  expect(dataOf("vnf-a-workerNode-1-join")).toContain("value: openstack:///vnf-a-workerNode-1-server-id\n");
  for (const script of ["init", "restore"])
    expect(dataOf(`vnf-a-masterNode-1-${script}`)).toContain(
      "provider_id='openstack:///vnf-a-masterNode-1-server-id'\n",
    );
  expect(recorded.filter(({ type }) => type.includes("applicationCredential"))).toMatchObject([
    {
      name: expect.stringMatching(/^vnf-a-[0-9a-f]{8}$/) as string,
      inputs: { roles: ["member", "load-balancer_member"] },
    },
  ]);
  expect(inputs(`vnf-a-${name}-secret-kube-system/${name}-cloud-config`)).toMatchObject({
    stringData: { value: { "cloud.conf": expect.stringContaining("hidden") as string } },
  });
});
