/** keystone-auth.sh, with the files of a folder and programs that note what they do. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";

const folder = mkdtempSync(join(tmpdir(), "vnfm-keystone-auth-"));
const at = (path: string) => join(folder, path);
const read = (path: string) => readFileSync(at(path), "utf8");
const AUTH = "etc/kubernetes/keystone-auth";
const MANIFEST = "etc/kubernetes/manifests/k8s-keystone-auth.yaml";

const PROGRAMS = `
exclusively() { :; }
within() { shift; "$@"; }
kubectl() {
  case $1 in
    annotate) sed "s|^|$5 |" ;;
    -n) sed -n 's|^vnfm/files=\\([0-9a-f]*\\) pod$|\\1 True|p' "${folder}/${MANIFEST}" ;;
  esac
}
`;
const DATA = {
  node_name: "m1",
  files: `0644 ${at(`${AUTH}/roles.yaml`)} ${btoa("roles")}`,
  pod: "pod",
  before: `cat ${at(`${AUTH}/roles.yaml`)} >${at("certificate")}`,
  after: `echo rights >>${at("rights")}`,
};

/** Runs a part of a script of the folder. */
function run(script: string, part: string, data: Readonly<Record<string, string>> = DATA): string {
  const text = scriptText(script)
    .replaceAll("/etc/", `${folder}/etc/`)
    .replace(/exclusively\n"\$1".*\n$/, (end) => PROGRAMS + end);
  const input = shellAssignments(data) + text;
  return execFileSync("bash", ["-s", part], { input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
}

beforeAll(() => mkdirSync(at("etc/kubernetes/manifests"), { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

it("the pod starts once its files, its certificate and its rights exist", () => {
  expect(() => run("keystone-auth.sh", "create", { ...DATA, before: "exit 1" })).toThrow();
  expect(() => run("keystone-auth.sh", "create", { ...DATA, after: "false" })).toThrow();
  expect(existsSync(at(MANIFEST))).toBe(false);
  run("keystone-auth.sh", "create");
  expect([read(`${AUTH}/roles.yaml`), read("certificate"), read("rights")]).toEqual([
    ...["roles", "roles", "rights\n"],
  ]);
  expect(statSync(at(MANIFEST)).mode & 0o777).toBe(0o600);
});

it("the pod starts anew for other files only", () => {
  const before = read(MANIFEST);
  run("keystone-auth.sh", "create");
  expect(read(MANIFEST)).toBe(before);
  run("keystone-auth.sh", "create", { ...DATA, files: DATA.files.replace(btoa("roles"), btoa("others")) });
  expect(read(MANIFEST)).not.toBe(before);
});

it("a node that joins again gets the pod back, which kubeadm has removed", () => {
  const before = read(MANIFEST);
  expect(run("keystone-auth.sh", "check")).toBe("");
  rmSync(at(MANIFEST));
  expect(run("keystone-auth.sh", "check")).toContain("users of Keystone are rejected");
  run("join-node.sh", "start_keystone_auth", { admission: "token" });
  expect(read(MANIFEST)).toBe(before);
  rmSync(at(AUTH), { recursive: true });
  rmSync(at(MANIFEST));
  run("join-node.sh", "start_keystone_auth", { admission: "token" });
  expect(existsSync(at(MANIFEST))).toBe(false);
});
