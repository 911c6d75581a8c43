import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeKubeconfig } from "../../../../automation/command-line/kubeconfig";
import type { PulumiStack } from "../../../../automation/stack/pulumi";

const folder = mkdtempSync(join(tmpdir(), "vnfm-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

const stackWith = (outputs: object) =>
  ({ secretOutputs: () => Promise.resolve(outputs) }) as unknown as PulumiStack;

test("a kubeconfig is written to a file that nobody else may read, also where one was readable before", async () => {
  const file = join(folder, "vnf-a.kubeconfig");
  writeFileSync(file, "former", { mode: 0o644 });
  chmodSync(file, 0o644);
  await writeKubeconfig(stackWith({ kubeconfigs: { "vnf-a": "text" } }), "vnf-a", file);
  expect(readFileSync(file, "utf8")).toBe("text");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("what is no cluster has none, and no file is written", async () => {
  const file = join(folder, "none");
  await expect(
    writeKubeconfig(stackWith({ kubeconfigs: { "vnf-a": "text" } }), "vnf-b", file),
  ).rejects.toThrow("vnf-b is no cluster that is there; one of vnf-a");
  await expect(writeKubeconfig(stackWith({}), "vnf-a", file)).rejects.toThrow(
    "vnf-a has no kubeconfig: this stack has no cluster yet, 'pulumi up' makes those of its config",
  );
  expect(() => statSync(file)).toThrow("ENOENT");
});
