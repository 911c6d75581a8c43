import * as pulumi from "@pulumi/pulumi";
import { LATE_KUBECONFIG } from "../../../components/kube/access/late-kubeconfig";
import { settled } from "../../../components/program/settled";
import { Secret } from "../../../components/base/secret";
import { DEFINITIONS } from "../../../components/settings/schema-part";
import { placeOf } from "../places";

const unknown = pulumi.output(pulumi.unknown as never) as pulumi.Output<string>;

async function settledVnf(args: object): Promise<{ value: unknown; faults: readonly string[] }> {
  const place = placeOf("vnfm:vnfs", "a");
  const value = await settled(args, DEFINITIONS.vnf, place);
  return { value, faults: place.findings.texts };
}

it("the program takes values of other resources as they are once known, and leaves out what is undefined", async () => {
  const { value, faults } = await settledVnf({
    package: pulumi.output("p"),
    flavour: undefined,
    scale: { workers: Promise.resolve(2) },
    extVirtualLinks: { cp: { network: pulumi.output({ id: "n" }).id } },
  });
  expect(faults).toEqual([]);
  expect(value).toEqual({ package: "p", scale: { workers: 2 }, extVirtualLinks: { cp: { network: "n" } } });
});

/** Data with the value of each secret under the key `hidden`. */
function uncovered(value: unknown): unknown {
  if (value instanceof Secret) return { hidden: value.revealScalar() };
  if (Array.isArray(value)) return value.map(uncovered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, uncovered(item)]));
}

describe("a secret", () => {
  const hidden = <T>(value: T) => ({ hidden: value });
  const whole = { PASSWORD: "hunter2", PORT: 80, DEBUG: true, NOTHING: null, LIST: ["a", [1, { b: false }]] };
  const leaves = {
    ...{ PASSWORD: hidden("hunter2"), PORT: hidden(80), DEBUG: hidden(true), NOTHING: null },
    LIST: [hidden("a"), [hidden(1), { b: hidden(false) }]],
  };
  const values = async (given: unknown) => {
    const { value, faults } = await settledVnf({
      additionalParams: { using_helm_install_param: [{ values: given }] },
    });
    expect(faults).toEqual([]);
    const { additionalParams } = value as {
      additionalParams: { using_helm_install_param: { values: unknown }[] };
    };
    return uncovered(additionalParams.using_helm_install_param[0]?.values);
  };

  it.each<[string, unknown, unknown]>([
    ["text", { a: pulumi.secret("x"), b: "y" }, { a: hidden("x"), b: "y" }],
    ["number", { a: pulumi.secret(1), b: 2 }, { a: hidden(1), b: 2 }],
    ["boolean", { a: pulumi.secret(false), b: true }, { a: hidden(false), b: true }],
    ["item of a list", [pulumi.secret(1), 2], [hidden(1), 2]],
    ["map is one in each of its values", pulumi.secret(whole), leaves],
    ["is one in what has it, too", pulumi.all({ a: pulumi.secret(1), b: 2 }), { a: hidden(1), b: hidden(2) }],
    [
      "in the result of a function",
      pulumi.output(0).apply(() => ({ a: pulumi.secret(1), b: pulumi.output([2]) })),
      { a: hidden(1), b: [2] },
    ],
    [
      "result of a function with outputs in it",
      pulumi.secret(0).apply(() => ({ a: pulumi.output(1), b: [Promise.resolve("c")] })),
      { a: hidden(1), b: [hidden("c")] },
    ],
  ])("%s", async (_, given, expected) => {
    expect(await values(given)).toEqual(expected);
  });

  it("stays secret, with an id in its place, in a preview that does not know it yet", async () => {
    const late = pulumi.secret(pulumi.output(pulumi.unknown as never));
    const { value } = await settledVnf({ extVirtualLinks: { cp: { network: late } } });
    expect(uncovered(value)).toEqual({
      extVirtualLinks: { cp: { network: hidden("00000000-0000-4000-8000-000000000000") } },
    });
  });
});

it("the program has a stand-in for what is known only in the run, where nothing of the plan depends on it", async () => {
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

it("the program refuses what is known only in the run everywhere else, all at once", async () => {
  const { faults } = await settledVnf({
    package: unknown,
    scale: { workers: unknown },
    // its names are those of the manifests
    additionalParams: {
      variables: unknown,
      using_helm_install_param: [{ version: unknown, values: unknown }],
    },
  });
  const why =
    "is known only during the update, but what is created depends on it; set a value that is known before";
  expect([...faults].sort()).toEqual([
    `vnfm:vnfs.a.additionalParams.using_helm_install_param[0].values: ${why}`,
    `vnfm:vnfs.a.additionalParams.using_helm_install_param[0].version: ${why}`,
    `vnfm:vnfs.a.additionalParams.variables: ${why}`,
    `vnfm:vnfs.a.package: ${why}`,
    `vnfm:vnfs.a.scale.workers: ${why}`,
  ]);
});
