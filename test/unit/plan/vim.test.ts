import type { VnfSettings } from "../../../components/settings/model";
import { vimIdentity, vimOf, vnfOfStack } from "../../../components/plan/vim";
import { Secret } from "../../../components/base/secret";

const VIMS: readonly NonNullable<VnfSettings["vim"]>[] = [
  "site",
  { stack: "site", vim_name: "a" },
  { stack: "site", vim_name: "b" },
  { kubeconfig: new Secret("site") },
  { kubeconfig: new Secret("site b") },
];

test("each VIM that settings name is of its kind, and no two are the same", () => {
  expect(VIMS.map((vim) => vimOf(vim).kind)).toEqual(["vnf", "stack", "stack", "kubeconfig", "kubeconfig"]);
  expect(new Set(VIMS.map((vim) => vimIdentity(vimOf(vim)))).size).toBe(VIMS.length);
  expect(vimIdentity(vimOf({ kubeconfig: new Secret("site") }))).toBe("kubeconfig site");
});

test("the VNF of this stack that a VIM is", () => {
  expect(VIMS.map((vim) => vnfOfStack(vimOf(vim)))).toEqual(["site", ...Array<undefined>(4)]);
  // of a CNF without a vim, which is a fault
  expect(vnfOfStack(vimOf(""))).toBeUndefined();
});
