import { planOf } from "../../support/planned";
import { goneWarning } from "../../../components/plan/gone";
import { clusterVnf, webCnf } from "../../support/configs";

const plans = planOf({ "vnf-a": clusterVnf(1), web: webCnf("web") });

it("says that an instance goes where another one is new", () => {
  expect(goneWarning(plans, { "vnf-a": {}, "vnf-b": {} })).toBe(
    "vnfm:vnfs: vnf-b, of the last update, no longer exists in the stack config, and web is new. An instance with another name is " +
      "another instance: everything of the former one is deleted, its servers, volumes and objects. If it was only " +
      "renamed, restore its name",
  );
});

it("says that the whole stack is deleted where no instance of the last run is left", () => {
  expect(goneWarning([], { "vnf-a": {}, web: {} })).toBe(
    "vnfm:vnfs: none of the 2 instances of the last update is in the stack config any more: vnf-a, web. Everything that the stack created is " +
      "deleted, servers, volumes and objects",
  );
  expect(goneWarning([], {})).toBeUndefined();
});

it.each([
  ["the first run", {}],
  ["the same instances", { "vnf-a": {}, web: {} }],
  ["one that is new", { "vnf-a": {} }],
  ["one that goes", { "vnf-a": {}, web: {}, old: {} }],
])("says nothing of %s", (_, former) => {
  expect(goneWarning(plans, former)).toBeUndefined();
});
