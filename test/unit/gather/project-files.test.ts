import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOf } from "../../../components/gather/project-files";
import { REPOSITORY } from "../../support/command";

const project = mkdtempSync(join(tmpdir(), "vnfm-project-"));
afterAll(() => rmSync(project, { recursive: true }));

it("the reader has the files of a project that is elsewhere, and its packages as they were when they were first read", () => {
  cpSync(join(REPOSITORY, "vnf-packages/web-cnf"), join(project, "web"), { recursive: true });
  writeFileSync(join(project, "boot.sh"), "true\n");
  const files = filesOf(project);
  const read = files.loadPackage("web");
  expect(read.vnfd.productName).toBe("Web server");
  expect(files.readProjectFile("boot.sh")).toBe("true\n");
  expect(files.readProjectFile("none.sh")).toBeUndefined();
  rmSync(join(project, "web"), { recursive: true });
  expect(files.loadPackage("web")).toBe(read);
  expect(() => filesOf(project).loadPackage("web")).toThrow("VNF package web is not valid");
});
