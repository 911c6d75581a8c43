import * as pulumi from "@pulumi/pulumi";
import { readProjectFile } from "../../../components/gather/project-file";
import { planStack } from "../../../components/plan/stack";
import { SettingsFault } from "../../../components/fault";
import { readSettings } from "../../../components/gather/stack-config";
import { loadPackage } from "../../../components/vnfd/package";

const REQUIRED = "vnfm:vnfs: is required; 'vnfm init' writes a first one";
const UNKNOWN = "vnfm:vnf: unknown setting; known are vnfm:vnfs, vnfm:clusterTemplates, vnfm:policy";
const NO_MAP = "vnfm:vnfs: a text must be object";

describe("readSettings", () => {
  afterEach(() => jest.restoreAllMocks());

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

  it("tells the operator that host bits of a CIDR are cleared", () => {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
    const additionalParams = {
      k8s_cluster_installation_param: {
        master_node: { ssh_cp_name: "a", pod_cidr: "10.244.7.0/16" },
        worker_node: { ssh_cp_name: "b" },
      },
    };
    pulumi.runtime.setAllConfig({
      "vnfm:vnfs": JSON.stringify({ "vnf-a": { package: "p", additionalParams } }),
    });
    readSettings();
    expect(warn.mock.calls).toEqual([
      [
        "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.master_node.pod_cidr: " +
          "10.244.7.0/16 has host bits set; 10.244.0.0/16 is used",
      ],
    ]);
  });

  it("reads the instances", () => {
    pulumi.runtime.setAllConfig({ "vnfm:vnfs": '{"vnf-a": {"package": "p"}}' });
    expect(Object.keys(readSettings().vnfs)).toEqual(["vnf-a"]);
  });
});
