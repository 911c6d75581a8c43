import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageReader } from "../../../components/gather/packages";
import { PackageFault } from "../../../components/vnfd/model";

const folder = mkdtempSync(join(tmpdir(), "vnfm-packages-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a package is read once, whatever becomes of its files meanwhile", () => {
  const location = join(folder, "web-cnf");
  cpSync("vnf-packages/web-cnf", location, { recursive: true });
  const readPackage = packageReader();
  const read = readPackage(location);
  rmSync(location, { recursive: true });
  expect(readPackage(location)).toBe(read);
  expect(() => packageReader()(location)).toThrow(PackageFault);
});

test("a package that is not valid is a fault each time that it is asked for", () => {
  const location = join(folder, "no-package");
  writeFileSync(location, "");
  const readPackage = packageReader();
  expect(() => readPackage(location)).toThrow(PackageFault);
  expect(() => readPackage(location)).toThrow(PackageFault);
});
