import * as pulumi from "@pulumi/pulumi";
import { readSettings } from "../../../components/settings/read";

describe("readSettings", () => {
  it.each([
    [{}, "vnfm:vnfs: is required; Pulumi.dev.yaml shows a complete one"],
    [{ "vnfm:vnfs": "vnf-a" }, "vnfm:vnfs: a text must be object"],
    [{ "vnfm:vnfs": "{", "other:vnfs": "" }, "vnfm:vnfs: a text must be object"],
    [{ "vnfm:vnf": "{}", "vnfm:vnfs": "{}" }, "vnfm:vnf: unknown setting; the only one is vnfm:vnfs"],
  ])("refuses the stack config %j", (config: Record<string, string>, fault) => {
    pulumi.runtime.setAllConfig(config);
    expect(readSettings).toThrow(`the stack config is not valid:\n  ${fault}`);
  });

  it("reads the instances", () => {
    pulumi.runtime.setAllConfig({ "vnfm:vnfs": '{"vnf-a": {"package": "p"}}' });
    expect(Object.keys(readSettings().vnfs)).toEqual(["vnf-a"]);
  });
});
