import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mergedKubeconfig } from "../../../../automation/command-line/merged-kubeconfig";
import { writeOwn } from "../../../../automation/command-line/own-file";
import { expiringKubeconfig } from "../../../../automation/stack/expiring-kubeconfig";
import { kubeconfigOf } from "../../../../automation/stack/kubeconfig";
import type { PulumiStack } from "../../../../automation/stack/pulumi";
import { yamlData } from "../../../../components/base/yaml/yaml";
import { kubeconfig } from "../../fixtures";

const folder = mkdtempSync(join(tmpdir(), "vnfm-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

const stackWith = (outputs: object) =>
  ({ name: "dev", secretOutputs: () => Promise.resolve(outputs) }) as unknown as PulumiStack;

/** As the command does. */
const writeKubeconfig = async (stack: PulumiStack, vnf: string, file: string): Promise<void> =>
  writeOwn(file, await kubeconfigOf(stack, vnf));

test("a kubeconfig is written to a file that nobody else may read, also where one was readable before", async () => {
  const file = join(folder, "vnf-a.kubeconfig");
  writeFileSync(file, "former", { mode: 0o644 });
  chmodSync(file, 0o644);
  await writeKubeconfig(stackWith({ kubeconfigs: { "vnf-a": kubeconfig("a") } }), "vnf-a", file);
  expect(readFileSync(file, "utf8")).toBe(kubeconfig("a"));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a kubeconfig that is to end within ten minutes is refused before the cluster is asked", async () => {
  await expect(expiringKubeconfig(kubeconfig("a"), "vnf-a", 599)).rejects.toThrow(
    "--expires: Kubernetes makes no token of less than 10m",
  );
});

test("an instance that is no cluster has no kubeconfig, and no file is written", async () => {
  const file = join(folder, "none");
  await expect(
    writeKubeconfig(stackWith({ kubeconfigs: { "vnf-a": "text" } }), "vnf-b", file),
  ).rejects.toThrow("vnf-b is not an existing cluster; one of vnf-a");
  await expect(writeKubeconfig(stackWith({}), "vnf-a", file)).rejects.toThrow(
    "vnf-a has no kubeconfig: stack dev has no cluster yet; 'pulumi up' creates those of its config",
  );
  expect(() => statSync(file)).toThrow("ENOENT");
});

test("a kubeconfig comes in place of the former one as a whole, behind a link too", async () => {
  const [file, link] = [join(folder, "former"), join(folder, "link")];
  writeFileSync(file, "former");
  symlinkSync(file, link);
  const open = openSync(file, "r");
  await writeKubeconfig(stackWith({ kubeconfigs: { "vnf-a": kubeconfig("a") } }), "vnf-a", link);
  expect(readFileSync(open, "utf8")).toBe("former");
  closeSync(open);
  expect(readFileSync(file, "utf8")).toBe(kubeconfig("a"));
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

test.each([
  ["/dev/null", "/dev/null is not a regular file: set another one with --file"],
  [join(folder, "missing", "file"), "cannot be written: ENOENT"],
])("a file that cannot be a kubeconfig stays as it is: %s", async (file, fault) => {
  const stack = stackWith({ kubeconfigs: { "vnf-a": kubeconfig("a") } });
  await expect(writeKubeconfig(stack, "vnf-a", file)).rejects.toThrow(fault);
});

test("a kubeconfig with more than access to its cluster is not written", async () => {
  const file = join(folder, "exec");
  const given = kubeconfig("a").replace("token: a-token", "exec: {command: sh}");
  await expect(
    writeKubeconfig(stackWith({ kubeconfigs: { "vnf-a": given } }), "vnf-a", file),
  ).rejects.toThrow(
    "the kubeconfig of vnf-a of stack dev: user.exec: is not allowed in a kubeconfig of others",
  );
  expect(() => statSync(file)).toThrow("ENOENT");
});

test("its file is none of git's", () => {
  const ignored = readFileSync(join(__dirname, "../../../../.gitignore"), "utf8").split("\n");
  expect(ignored).toContain("*.kubeconfig");
});

describe("a kubeconfig that is merged", () => {
  const OTHERS = `# of the site
apiVersion: v1
kind: Config
current-context: other
clusters:
  - name: other # by hand
    cluster: { server: "https://192.0.2.1:6443" }
users:
  - name: other
    user: { exec: { command: login, apiVersion: client.authentication.k8s.io/v1 } }
contexts:
  - { name: other, context: { cluster: other, user: other, namespace: site } }
preferences: {}
`;
  const dataOf = (text: string) => yamlData(text, "the kubeconfig") as Record<string, { name: string }[]>;
  const merge = (former: string | undefined, name = "vnf-a@dev", added = kubeconfig("a")) =>
    mergedKubeconfig(former, added, name, "~/.kube/config");

  it("leaves other contexts, the current one and comments as they are", () => {
    const merged = merge(OTHERS);
    expect(merged).toContain("# of the site\n");
    expect(merged).toContain("- name: other # by hand\n");
    const { clusters, users, contexts, ...rest } = dataOf(merged);
    const { clusters: c, users: u, contexts: x, ...before } = dataOf(OTHERS);
    expect(rest).toEqual(before);
    const [cluster] = dataOf(kubeconfig("a"))["clusters"] ?? [];
    const [user] = dataOf(kubeconfig("a"))["users"] ?? [];
    expect(clusters).toEqual([...(c ?? []), { ...cluster, name: "vnf-a@dev" }]);
    expect(users).toEqual([...(u ?? []), { ...user, name: "vnf-a@dev" }]);
    expect(contexts).toEqual([
      ...(x ?? []),
      { name: "vnf-a@dev", context: { cluster: "vnf-a@dev", user: "vnf-a@dev" } },
    ]);
  });

  it("replaces what it has merged before", () => {
    const again = dataOf(merge(merge(OTHERS), "vnf-a@dev", kubeconfig("b")));
    for (const list of ["clusters", "users", "contexts"])
      expect(again[list]?.map(({ name }) => name)).toEqual(["other", "vnf-a@dev"]);
    expect(again["users"]?.[1]).toEqual({ ...dataOf(kubeconfig("b"))["users"]?.[0], name: "vnf-a@dev" });
  });

  it.each([undefined, "", "apiVersion: v1\nkind: Config\nclusters: null\nusers: []\n"])(
    "is the current context where there is none: %j",
    (former) => {
      const merged = dataOf(merge(former));
      expect(merged).toMatchObject({ apiVersion: "v1", kind: "Config", "current-context": "vnf-a@dev" });
      expect(merged["contexts"]).toHaveLength(1);
    },
  );

  it.each(["- a\n", "text\n", "clusters: { a: b }\n"])("is refused where %j is", (former) => {
    expect(() => merge(former)).toThrow(/^~\/\.kube\/config(: clusters)? is not a .*: nothing was written$/);
  });
});
