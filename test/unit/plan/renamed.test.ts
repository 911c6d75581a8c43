import { renameWarning } from "../../../components/plan/renamed";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { clusterVnf, webCnf } from "../../support/configs";

const plans = planStack(parseSettings({ "vnf-a": clusterVnf(1), web: webCnf("web") }).settings, {
  loadPackage,
  readProjectFile: () => undefined,
});

it("says that an instance goes where another one is new", () => {
  expect(renameWarning(plans, { "vnf-a": {}, "vnf-b": {} })).toBe(
    "vnfm:vnfs: vnf-b, of the last run, is not there any more, and web is new. An instance with another name is " +
      "another instance: what the former one has made is deleted, its servers, volumes and objects. If it was only " +
      "renamed, give it its name back",
  );
});

it.each([
  ["the first run", {}],
  ["the same instances", { "vnf-a": {}, web: {} }],
  ["one that is new", { "vnf-a": {} }],
  ["one that goes", { "vnf-a": {}, web: {}, old: {} }],
])("says nothing of %s", (_, former) => {
  expect(renameWarning(plans, former)).toBeUndefined();
});
