import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { readProjectFile } from "../../../components/gather/project-file";
import { planStack } from "../../../components/plan/stack";
import { readSettings } from "../../../components/gather/stack-config";
import { Secret } from "../../../components/base/secret";
import { loadPackage } from "../../support/packages";
import { textOf } from "../../../components/base/findings";
import { settingsFault } from "../places";

const REQUIRED = "vnfm:vnfs: is required; 'vnfm init' writes a first one";
const UNKNOWN = "vnfm:vnf: unknown setting; allowed: vnfm:vnfs, vnfm:clusterTemplates, vnfm:policy";
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
    expect(plan).toThrow(settingsFault(...faults));
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

  describe("with encrypted values", () => {
    const folder = mkdtempSync(join(tmpdir(), "vnfm-stack-config-"));
    const file = join(folder, "Pulumi.site.yaml");
    const value = { a: { package: "p", vim: "v", additionalParams: { variables: { KEY: "1", SIZE: "1" } } } };
    const config = { "vnfm:vnfs": JSON.stringify(value) };
    const written = (key: string) =>
      `config: {"vnfm:vnfs": {a: {package: p, vim: v, additionalParams: {variables: {KEY: ${key}, SIZE: "1"}}}}}`;

    beforeEach(() => {
      void pulumi.runtime.setMocks({ newResource: () => ({ id: undefined, state: {} }), call: () => ({}) });
      pulumi.runtime.setAllConfig(config);
      process.env["PULUMI_CONFIG_SECRET_KEYS"] = '["vnfm:vnfs"]';
      process.env["PULUMI_OPTION_CONFIG_FILE"] = file;
    });
    afterEach(() => {
      delete process.env["PULUMI_CONFIG_SECRET_KEYS"];
      delete process.env["PULUMI_OPTION_CONFIG_FILE"];
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it("keeps those secret that the file has encrypted", () => {
      writeFileSync(file, written("{secure: v1:x}"));
      const { vnfs, faults } = readSettings();
      expect(faults).toEqual([]);
      expect(vnfs["a"]?.additionalParams?.variables).toEqual({ KEY: new Secret("1"), SIZE: "1" });
    });

    it("takes those for encrypted that are not so in the file, and says where it has looked", () => {
      const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
      writeFileSync(file, written("other"));
      expect(readSettings().vnfs["a"]?.additionalParams?.variables).toEqual({
        KEY: new Secret("1"),
        SIZE: "1",
      });
      expect(warn.mock.calls).toEqual([
        [
          `vnfm:vnfs.a.additionalParams.variables.KEY: differs from ${file}, and is therefore treated as encrypted; ` +
            "if the stack config is another file, set the variable PULUMI_OPTION_CONFIG_FILE instead of --config-file",
        ],
      ]);
    });

    it("refuses all of it where there is no such file", () => {
      jest.spyOn(pulumi.log, "warn").mockResolvedValue();
      process.env["PULUMI_OPTION_CONFIG_FILE"] = join(folder, "none");
      const why = "is encrypted, and would be unencrypted in the state; set it without --secret";
      expect(readSettings().faults.map(textOf)).toEqual([
        `vnfm:vnfs.a.package: ${why}`,
        `vnfm:vnfs.a.vim: ${why}`,
      ]);
    });

    it("looks into no file where nothing is encrypted", () => {
      delete process.env["PULUMI_CONFIG_SECRET_KEYS"];
      writeFileSync(file, written("{secure: v1:x}"));
      expect(readSettings().vnfs["a"]?.additionalParams?.variables).toEqual({ KEY: "1", SIZE: "1" });
    });
  });

  it("reads the instances", () => {
    pulumi.runtime.setAllConfig({ "vnfm:vnfs": '{"vnf-a": {"package": "p"}}' });
    expect(Object.keys(readSettings().vnfs)).toEqual(["vnf-a"]);
  });
});
