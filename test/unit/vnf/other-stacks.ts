import { planOf } from "../../support/planned";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { kubeconfigOf, readVims, type StackOutputs } from "../../../components/gather/other-stacks";
import { makeVnfs } from "../../../components/deploy/instance";
import { webCnf } from "../../support/configs";
import { kubeconfig } from "../fixtures";
import { placeOf, settingsFault } from "../places";

let recorded: RecordedResource[];

const record = () =>
  recordResources(({ type, name }) => {
    if (type !== "pulumi:pulumi:StackReference") return {};
    return name.endsWith("/destroyed")
      ? { outputs: {}, secretOutputNames: [] }
      : { outputs: OUTPUTS, secretOutputNames: ["kubeconfigs"] };
  });

const OUTPUTS: StackOutputs = {
  vnfs: { "vnf-a": { vimName: "cluster-a" }, "vnf-b": { vimName: "cluster-b" }, web: {} },
  kubeconfigs: { "vnf-a": kubeconfig("a"), "vnf-b": kubeconfig("b") },
};

const plansOf = (vnfs: object) => planOf(vnfs);

describe("CNFs on clusters of another stack", () => {
  const vim = (stack: string, vim_name: string) => ({ vim: { stack, vim_name } });

  beforeAll(async () => {
    recorded = record();
    const vnfs = {
      one: webCnf("one", vim("clusters", "cluster-a")),
      two: webCnf("two", vim("organization/vnfm/clusters", "cluster-b")),
      three: webCnf("three", vim("organization/network/clusters", "cluster-b")),
    };
    const plans = plansOf(vnfs);
    const stacks = new Map<string, Promise<StackOutputs>>();
    const vims = await readVims(plans, stacks);
    // as a program does for the components that it creates later
    expect([...(await readVims(plans, stacks)).keys()]).toEqual([...vims.keys()]);
    makeVnfs(plans, () => ({ vims }));
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

  it("are refused all at once, before anything is made, where their VIM cannot be had", async () => {
    const before = recorded.length;
    const plans = plansOf({
      one: webCnf("one", vim("test", "cluster-a")),
      two: webCnf("two", vim("clusters", "cluster-x")),
      three: webCnf("three", vim("destroyed", "cluster-a")),
    });
    await expect(readVims(plans)).rejects.toThrow(
      settingsFault(
        "vnfm:vnfs.one.vim.stack: organization/vnfm/test is this stack; set the name of its cluster as vim",
        'vnfm:vnfs.two.vim.vim_name: stack organization/vnfm/clusters has no VIM "cluster-x"; ' +
          "one of cluster-a, cluster-b; pulumi up of that stack registers its clusters",
        'vnfm:vnfs.three.vim.vim_name: stack organization/vnfm/destroyed has no VIM "cluster-a"; ' +
          "none is defined; pulumi up of that stack registers its clusters",
      ),
    );
    expect(recorded.slice(before).map(({ type }) => type)).toEqual([
      "pulumi:pulumi:StackReference",
      "pulumi:pulumi:StackReference",
    ]);
  });
});

it("a kubeconfig of another stack that has ended is refused, with what shows the present one", async () => {
  const claims = Buffer.from('{"exp":1767225600}').toString("base64url");
  const ended = kubeconfig("a").replace("a-token", `e30.${claims}.c2ln`);
  recordResources(({ type }) =>
    type === "pulumi:pulumi:StackReference"
      ? {
          outputs: { ...OUTPUTS, kubeconfigs: { "vnf-a": ended } },
          secretOutputNames: ["kubeconfigs"],
        }
      : {},
  );
  const plans = plansOf({ web: webCnf("one", { vim: { stack: "clusters", vim_name: "cluster-a" } }) });
  await expect(readVims(plans)).rejects.toThrow(
    settingsFault(
      "vnfm:vnfs.web.vim: 2026-01-01T00:00:00Z has ended, and all access to the cluster then ends; pulumi up of stack organization/vnfm/clusters exports the current kubeconfig",
    ),
  );
  await settle();
});

describe("kubeconfigOf", () => {
  const faultsOf = (outputs: StackOutputs, vim_name: string) => {
    const place = placeOf("vim");
    expect(kubeconfigOf(outputs, { stack: "o/p/s", vim_name }, place)).toBeUndefined();
    return place.findings.texts;
  };

  it("finds the kubeconfig by the VIM's name", () => {
    const place = placeOf("vim");
    const vim = { stack: "o/p/s", vim_name: "cluster-b" };
    expect(kubeconfigOf(OUTPUTS, vim, place)).toBe(kubeconfig("b"));
    expect(place.findings.texts).toEqual([]);
  });

  it("refuses one that could do more than reach the cluster", () => {
    const given = kubeconfig("a").replace("token: a-token", "exec: {command: sh}");
    expect(faultsOf({ ...OUTPUTS, kubeconfigs: { "vnf-a": given } }, "cluster-a")).toEqual([
      'vim.vim_name: the kubeconfig of "cluster-a" of stack o/p/s: user.exec: is not allowed in a kubeconfig of others; ' +
        "allowed: token, client-certificate-data, client-key-data",
    ]);
  });

  it("names the VIMs that the stack has", () => {
    expect(faultsOf(OUTPUTS, "cluster-c")).toEqual([
      'vim.vim_name: stack o/p/s has no VIM "cluster-c"; one of cluster-a, cluster-b; ' +
        "pulumi up of that stack registers its clusters",
    ]);
  });

  it.each([
    ["has no cluster any more", { vnfs: {}, kubeconfigs: {} }],
    ["was made by an earlier version of vnfm", { vnfs: { "vnf-a": {} }, kubeconfigs: OUTPUTS.kubeconfigs }],
  ])("says that there is none in a stack that %s", (_, outputs) => {
    expect(faultsOf(outputs, "cluster-a")).toEqual([
      'vim.vim_name: stack o/p/s has no VIM "cluster-a"; none is defined; ' +
        "pulumi up of that stack registers its clusters",
    ]);
  });

  it("refuses a name that two clusters of the stack have", () => {
    const vnfs = { "vnf-a": { vimName: "same" }, "vnf-b": { vimName: "same" } };
    expect(faultsOf({ ...OUTPUTS, vnfs }, "same")).toEqual([
      'vim.vim_name: "same" matches vnf-a and vnf-b of stack o/p/s; set the kubeconfig of one of them as vim',
    ]);
  });

  it("says that the passphrase is another, where the engine gives nothing for the secrets", () => {
    expect(faultsOf({ ...OUTPUTS, kubeconfigs: {} }, "cluster-a")).toEqual([
      "vim.stack: the secrets of stack o/p/s cannot be decrypted; " +
        "use the same passphrase for both stacks, or get access to the key of that one",
    ]);
  });
});
