/** The part of prepare-node.sh about private registries, with the files of a folder and programs that note what they do. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";

const folder = mkdtempSync(join(tmpdir(), "vnfm-registries-"));
const at = (path: string) => join(folder, path);
// every path of the script's own is one of the folder's: nothing of this machine is touched
const script = scriptText("prepare-node.sh")
  .replaceAll("/etc/", `${folder}/etc/`)
  .replaceAll("/.docker/", `${folder}/.docker/`);
const programs = `
exclusively() { :; }
containerd() { cat "${folder}/config"; }
systemctl() { echo "$*"; }
`;

type Files = Readonly<Record<string, readonly [mode: string, content: string]>>;

/** @returns what was done to services */
function run(part: string, files: Files, registry_names = ""): string {
  const registry_files = Object.entries(files)
    .map(([path, [mode, content]]) => `${mode} ${at(path)} ${btoa(content)}`)
    .join("\n");
  const text = script.replace(/exclusively\n"\$1".*\n$/, (end) => programs + end);
  const input = shellAssignments({ registry_files, registry_names }) + text;
  return execFileSync("bash", ["-s", part], { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
}

const CERTS = "etc/containerd/certs.d";
const A = {
  [`${CERTS}/a:5000/ca.crt`]: ["644", "CA"],
  [`${CERTS}/a:5000/hosts.toml`]: ["644", "a"],
} as const;
const B = { [`${CERTS}/b/hosts.toml`]: ["644", "b"] } as const;
const login = (password: string) => ({ ".docker/config.json": ["600", password] }) as const;
const configure = (files: Files) => run("configure_registries", files);

beforeAll(() => {
  mkdirSync(at(`${CERTS}/_default`), { recursive: true });
  writeFileSync(at(`${CERTS}/_default/hosts.toml`), "the image's own");
  writeFileSync(at("config"), `[registry]\n  config_path = "${folder}/etc/containerd/certs.d"\n`);
  writeFileSync(at("etc/hosts"), "127.0.0.1 localhost\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

it("leaves a node alone that never had any", () => {
  expect(configure({})).toBe("");
  expect(existsSync(at("etc/containerd/vnfm-registry-files"))).toBe(false);
});

it("writes the files whole, and the kubelet reads new logins at once, others never again", () => {
  expect(configure({ ...A, ...B, ...login("1") })).toBe("try-restart kubelet\n");
  expect(readFileSync(at(`${CERTS}/a:5000/ca.crt`), "utf8")).toBe("CA");
  expect(statSync(at(".docker/config.json")).mode & 0o777).toBe(0o600);
  expect(configure({ ...A, ...B, ...login("1") })).toBe("");
  expect(configure({ ...A, ...B, ...login("2") })).toBe("try-restart kubelet\n");
  expect(readFileSync(at(".docker/config.json"), "utf8")).toBe("2");
});

it("removes what is no longer declared, its folder too, and nothing else", () => {
  expect(configure({ ...B, ...login("2") })).toBe("");
  expect([`${CERTS}/a:5000`, `${CERTS}/b/hosts.toml`].map((path) => existsSync(at(path)))).toEqual([
    false,
    true,
  ]);
  expect(configure({})).toBe("try-restart kubelet\n");
  expect(
    [`${CERTS}/b`, ".docker", "etc/containerd/vnfm-registry-files"].filter((it) => existsSync(at(it))),
  ).toEqual([]);
  expect(readFileSync(at(`${CERTS}/_default/hosts.toml`), "utf8")).toBe("the image's own");
});

it("says what the image lacks where containerd would not read the files", () => {
  writeFileSync(at("config"), 'config_path = ""\n');
  expect(() => configure(A)).toThrow("sets config_path to it");
});

it("names registries in the hosts file, and takes the names out again", () => {
  const hosts = () => readFileSync(at("etc/hosts"), "utf8");
  run("name_registries", {}, "10.0.0.9 a\n10.0.0.9 b");
  expect(hosts()).toBe(
    "127.0.0.1 localhost\n# BEGIN vnfm: private registries, written whole\n10.0.0.9 a\n10.0.0.9 b\n# END vnfm\n",
  );
  run("name_registries", {});
  expect(hosts()).toBe("127.0.0.1 localhost\n");
});
