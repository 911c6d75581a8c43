import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageReader } from "../../../components/gather/packages";
import { readProjectFile } from "../../../components/gather/project-file";
import { REPOSITORY } from "../../support/command";

const FLANNEL = "vnf-packages/kubernetes-cluster/Files/kubernetes/flannel.yaml";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-project-"));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(REPOSITORY);
  rmSync(folder, { recursive: true, force: true });
});

test("a file of vnf-packages/ that a project does not have comes from vnfm", () => {
  expect(readProjectFile(FLANNEL)).toBe(readFileSync(join(REPOSITORY, FLANNEL), "utf8"));
  expect(Object.keys(packageReader()("vnf-packages/kubernetes-cluster").vnfd.flavours)).toContain("simple");
});

test("a file of vnf-packages/ that a project has is used", () => {
  mkdirSync(join(folder, FLANNEL, ".."), { recursive: true });
  writeFileSync(join(folder, FLANNEL), "own");
  expect(readProjectFile(FLANNEL)).toBe("own");
  expect(() => packageReader()("vnf-packages/kubernetes-cluster")).toThrow("TOSCA-Metadata/TOSCA.meta");
});

test("nothing else of vnfm is a project's file", () => {
  expect(readProjectFile("Pulumi.dev.yaml")).toBeUndefined();
  expect(readProjectFile("vnf-packages/none/Files/kubernetes/flannel.yaml")).toBeUndefined();
  expect(() => packageReader()("vnf-packages/none")).toThrow("there is no such folder or zip");
});
