import * as pulumi from "@pulumi/pulumi";
import { LATE_KUBECONFIG } from "../../../components/kube/late-kubeconfig";
import { settled } from "../../../components/program/settled";
import { Secret } from "../../../components/secret";
import { DEFINITIONS } from "../../../components/settings/schema-part";
import { placeOf } from "../places";

const unknown = pulumi.output(pulumi.unknown as never) as pulumi.Output<string>;

async function settledVnf(args: object): Promise<{ value: unknown; faults: readonly string[] }> {
  const place = placeOf("vnfm:vnfs", "a");
  const value = await settled(args, DEFINITIONS.vnf, place);
  return { value, faults: place.findings.texts };
}

it("takes values of other resources as they are once known, and leaves out what is undefined", async () => {
  const { value, faults } = await settledVnf({
    package: pulumi.output("p"),
    flavour: undefined,
    scale: { workers: Promise.resolve(2) },
    extVirtualLinks: { cp: { network: pulumi.output({ id: "n" }).id } },
  });
  expect(faults).toEqual([]);
  expect(value).toEqual({ package: "p", scale: { workers: 2 }, extVirtualLinks: { cp: { network: "n" } } });
});

it("keeps each text of a secret value a secret", async () => {
  const { value } = await settledVnf({
    additionalParams: { variables: pulumi.secret({ PASSWORD: "hunter2", PORT: 80 }) },
  });
  const { variables } = (value as { additionalParams: { variables: Record<string, unknown> } })
    .additionalParams;
  expect(variables["PASSWORD"]).toBeInstanceOf(Secret);
  expect((variables["PASSWORD"] as Secret).reveal()).toBe("hunter2");
  expect(variables["PORT"]).toBe(80);
});

it("has a stand-in for what is known only in the run, where nothing of the plan depends on it", async () => {
  const { value, faults } = await settledVnf({
    vim: { kubeconfig: unknown },
    extVirtualLinks: { cp: { network: unknown } },
    additionalParams: { variables: { PASSWORD: unknown } },
  });
  expect(faults).toEqual([]);
  const { vim, extVirtualLinks, additionalParams } = value as {
    vim: { kubeconfig: Secret };
    extVirtualLinks: object;
    additionalParams: { variables: { PASSWORD: Secret } };
  };
  expect(vim.kubeconfig.reveal()).toBe(LATE_KUBECONFIG);
  expect(extVirtualLinks).toEqual({ cp: { network: "00000000-0000-4000-8000-000000000000" } });
  expect(additionalParams.variables.PASSWORD.reveal()).toBe("known only in the run");
});

it("refuses what is known only in the run everywhere else, all at once", async () => {
  const { faults } = await settledVnf({
    package: unknown,
    scale: { workers: unknown },
    additionalParams: { using_helm_install_param: [{ version: unknown }] },
  });
  const why = "is known only in the run, and what is made depends on it; give a value that the program knows";
  expect([...faults].sort()).toEqual([
    `vnfm:vnfs.a.additionalParams.using_helm_install_param[0].version: ${why}`,
    `vnfm:vnfs.a.package: ${why}`,
    `vnfm:vnfs.a.scale.workers: ${why}`,
  ]);
});
