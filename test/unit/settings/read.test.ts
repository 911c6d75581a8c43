import * as pulumi from "@pulumi/pulumi";
import { readProjectFile } from "../../../components/plan/project-file";
import { planStack } from "../../../components/plan/stack";
import { SettingsFault } from "../../../components/settings/model";
import { readSettings } from "../../../components/settings/read";
import { loadPackage } from "../../../components/vnfd/package";

const REQUIRED = "vnfm:vnfs: is required; Pulumi.dev.yaml shows a complete one";
const UNKNOWN = "vnfm:vnf: unknown setting; the only one is vnfm:vnfs";
const NO_MAP = "vnfm:vnfs: a text must be object";

describe("readSettings", () => {
  it.each([
    [{}, [REQUIRED]],
    [{ "vnfm:vnf": "{}" }, [UNKNOWN, REQUIRED]],
    [{ "vnfm:vnfs": "vnf-a" }, [NO_MAP]],
    [{ "vnfm:vnfs": "{", "other:vnfs": "" }, [NO_MAP]],
    [{ "vnfm:vnf": "{}", "vnfm:vnfs": "{}" }, [UNKNOWN]],
    [{ "vnfm:vnf": "{}", "vnfm:vnfs": "[]" }, [UNKNOWN, "vnfm:vnfs: a list must be object"]],
  ])("refuses the stack config %j", (config: Record<string, string>, faults) => {
    pulumi.runtime.setAllConfig(config);
    const plan = () => planStack(readSettings(), { loadPackage, readProjectFile });
    expect(plan).toThrow(new SettingsFault(faults));
  });

  it("reads the instances", () => {
    pulumi.runtime.setAllConfig({ "vnfm:vnfs": '{"vnf-a": {"package": "p"}}' });
    expect(Object.keys(readSettings().vnfs)).toEqual(["vnf-a"]);
  });
});
