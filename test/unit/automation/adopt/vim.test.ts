import { kubeconfigOfVim } from "../../../../automation/adopt/vim";
import { PulumiStack } from "../../../../automation/stack/pulumi";
import { kubeconfig } from "../../fixtures";

const HOSTILE = kubeconfig("a").replace("token: a-token", "exec: {command: sh}");
const REFUSED =
  "user.exec: is not allowed in a kubeconfig of others; allowed: token, client-certificate-data, client-key-data";

const stackOf = (name: string, kubeconfigs: object) =>
  ({
    name,
    outputs: () => Promise.resolve({ vnfs: { a: { vimName: "cluster-a" } } }),
    secretOutputs: () => Promise.resolve({ kubeconfigs }),
  }) as unknown as PulumiStack;

it("vnfm takes the kubeconfig of a cluster of this stack, and none that could do more than reach it", async () => {
  expect(await kubeconfigOfVim(stackOf("dev", { a: kubeconfig("a") }), "a")).toBe(kubeconfig("a"));
  await expect(kubeconfigOfVim(stackOf("dev", { a: HOSTILE }), "a")).rejects.toThrow(
    `the kubeconfig of a of stack dev: ${REFUSED}`,
  );
});

it("vnfm takes none of another stack that could do more than reach it", async () => {
  jest.spyOn(PulumiStack, "open").mockResolvedValue(stackOf("other", { a: HOSTILE }));
  const vim = { stack: "other", vim_name: "cluster-a" };
  await expect(kubeconfigOfVim(stackOf("dev", {}), vim)).rejects.toThrow(
    `the kubeconfig of a of stack other: ${REFUSED}`,
  );
});

it("vnfm takes the operator's own as it is", async () => {
  expect(await kubeconfigOfVim(stackOf("dev", {}), { kubeconfig: HOSTILE })).toBe(HOSTILE);
});
