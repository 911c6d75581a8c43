import { recordResources, settle } from "../support/mocks";

const recorded = recordResources(({ type }) =>
  type === "pulumi:pulumi:StackReference" ? { outputs: OUTPUTS, secretOutputNames: ["kubeconfigs"] } : {},
);

import { kubeconfigOf, type StackOutputs } from "../../components/other-stacks";
import { planStack } from "../../components/plan/stack";
import { parseSettings } from "../../components/settings/parse";
import { makeVnfs } from "../../components/vnf";
import { loadPackage } from "../../components/vnfd/package";
import { webCnf } from "../support/configs";
import { kubeconfig } from "./fixtures";

const OUTPUTS: StackOutputs = {
  vnfs: { "vnf-a": { vimName: "cluster-a" }, "vnf-b": { vimName: "cluster-b" }, web: {} },
  kubeconfigs: { "vnf-a": kubeconfig("a"), "vnf-b": kubeconfig("b") },
};

const plansOf = (vnfs: object) =>
  planStack(parseSettings(vnfs).settings, { loadPackage, readProjectFile: () => undefined });

describe("CNFs on clusters of another stack", () => {
  const vim = (stack: string, vim_name: string) => ({ vim: { stack, vim_name } });

  beforeAll(async () => {
    const vnfs = {
      one: webCnf("one", vim("clusters", "cluster-a")),
      two: webCnf("two", vim("organization/vnfm/clusters", "cluster-b")),
      three: webCnf("three", vim("organization/network/clusters", "cluster-b")),
    };
    makeVnfs(plansOf(vnfs));
    await settle();
  });

  it("read each stack once, whether its name is given in full or not", () => {
    const references = recorded.filter(({ type }) => type === "pulumi:pulumi:StackReference");
    expect(references.map(({ name }) => name)).toEqual([
      "organization/vnfm/clusters",
      "organization/network/clusters",
    ]);
  });

  it("have providers with the kubeconfig of their VIM, a secret, which says itself what cluster it is", () => {
    const providers = recorded.filter(({ type }) => type === "pulumi:providers:kubernetes");
    expect(
      providers.map(({ name, inputs }) => [name, inputs["kubeconfig"], "clusterIdentifier" in inputs]),
    ).toEqual(
      [
        ["one", "a"],
        ["two", "b"],
        ["three", "b"],
      ].map(([name, cluster]) => [
        name,
        {
          "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
          value: kubeconfig(cluster!),
        },
        false,
      ]),
    );
  });

  it("are refused on what the program calls another stack and is its own", () => {
    for (const name of ["test", "organization/vnfm/test"]) {
      expect(() => makeVnfs(plansOf({ web: webCnf("web", vim(name, "cluster-a")) }))).toThrow(
        "vnfm:vnfs.web.vim.stack: organization/vnfm/test is this stack; name its cluster VNF as vim",
      );
    }
  });
});

describe("kubeconfigOf", () => {
  const read = (outputs: StackOutputs, vim_name: string) =>
    kubeconfigOf(outputs, { stack: "o/p/s", vim_name }, "vim");

  it("finds the kubeconfig by the VIM's name", () => {
    expect(read(OUTPUTS, "cluster-b")).toBe(kubeconfig("b"));
  });

  it("names the VIMs that the stack has", () => {
    expect(() => read(OUTPUTS, "cluster-c")).toThrow(
      'vim.vim_name: stack o/p/s has no VIM "cluster-c"; one of cluster-a, cluster-b; did you mean "cluster-a"?; ' +
        "pulumi up of that stack registers its clusters",
    );
  });

  it.each([
    ["has no cluster any more", { vnfs: {}, kubeconfigs: {} }],
    [
      "was made by an earlier version of the program",
      { vnfs: { "vnf-a": {} }, kubeconfigs: OUTPUTS.kubeconfigs! },
    ],
    ["was destroyed, or never up", {}],
  ])("says that there is none in a stack that %s", (_, outputs) => {
    expect(() => read(outputs, "cluster-a")).toThrow(
      'vim.vim_name: stack o/p/s has no VIM "cluster-a"; none is defined; ' +
        "pulumi up of that stack registers its clusters",
    );
  });

  it("refuses a name that two clusters of the stack have", () => {
    const vnfs = { "vnf-a": { vimName: "same" }, "vnf-b": { vimName: "same" } };
    expect(() => read({ ...OUTPUTS, vnfs }, "same")).toThrow(
      'vim.vim_name: "same" are vnf-a and vnf-b of stack o/p/s; give the kubeconfig of one of them as vim',
    );
  });

  it("says that the passphrase is another, where the engine gives nothing for the secrets", () => {
    expect(() => read({ ...OUTPUTS, kubeconfigs: {} }, "cluster-a")).toThrow(
      "vim.stack: the secrets of stack o/p/s cannot be decrypted; " +
        "give both stacks the same passphrase, or the right to use the key of that one",
    );
  });
});
