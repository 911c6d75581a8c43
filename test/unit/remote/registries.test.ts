/** The parts of prepare-node.sh that write files of features, with the files of a folder and programs that note what they do. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";

const folder = mkdtempSync(join(tmpdir(), "vnfm-registries-"));
const at = (path: string) => join(folder, path);
// every path of the script's own is one of the folder's: nothing of this machine is touched
const script = scriptText("prepare-node.sh")
  .replaceAll("/etc/", `${folder}/etc/`)
  .replaceAll("/.docker/", `${folder}/.docker/`)
  .replaceAll("/usr/local/share/", `${folder}/usr/local/share/`);
const programs = `
exclusively() { :; }
containerd() { cat "${folder}/config"; }
systemctl() { echo "$*"; }
update-ca-certificates() { echo "update-ca-certificates $*" >>"${folder}/updated"; }
`;

type Files = Readonly<Record<string, readonly [mode: string, content: string]>>;

/** @returns what was done to services */
function run(part: string, files: Files, registry_names = ""): string {
  return runWith(part, { registry_files: linesOf(files), registry_names });
}

function linesOf(files: Files): string {
  return Object.entries(files)
    .map(([path, [mode, content]]) => `${mode} ${at(path)} ${btoa(content)}`)
    .join("\n");
}

function runWith(part: string, data: Readonly<Record<string, string>>, more = ""): string {
  const text = script.replace(/exclusively\n"\$1".*\n$/, (end) => programs + more + end);
  const input = shellAssignments(data) + text;
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

it("the script leaves a node alone that never had any", () => {
  expect(configure({})).toBe("");
  expect(existsSync(at("etc/containerd/vnfm-registry-files"))).toBe(false);
});

it("the script writes the files whole, and the kubelet reads new logins at once, others never again", () => {
  expect(configure({ ...A, ...B, ...login("1") })).toBe("try-restart kubelet\n");
  expect(readFileSync(at(`${CERTS}/a:5000/ca.crt`), "utf8")).toBe("CA");
  expect(statSync(at(".docker/config.json")).mode & 0o777).toBe(0o600);
  expect(configure({ ...A, ...B, ...login("1") })).toBe("");
  expect(configure({ ...A, ...B, ...login("2") })).toBe("try-restart kubelet\n");
  expect(readFileSync(at(".docker/config.json"), "utf8")).toBe("2");
});

it("the script removes what is no longer declared, its folder too, and nothing else", () => {
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

it("the script says what the image lacks where containerd would not read the files", () => {
  writeFileSync(at("config"), 'config_path = ""\n');
  expect(() => configure(A)).toThrow("sets config_path to it");
});

it("the script names registries in the hosts file, and takes the names out again", () => {
  const hosts = () => readFileSync(at("etc/hosts"), "utf8");
  run("name_registries", {}, "10.0.0.9 a\n10.0.0.9 b");
  expect(hosts()).toBe(
    "127.0.0.1 localhost\n# BEGIN vnfm: private registries, written whole\n10.0.0.9 a\n10.0.0.9 b\n# END vnfm\n",
  );
  run("name_registries", {});
  expect(hosts()).toBe("127.0.0.1 localhost\n");
});

describe("files of the operator", () => {
  const configured = (files: Files) => runWith("configure_files", { operator_files: linesOf(files) });
  const read = (path: string) => readFileSync(at(path), "utf8");

  it("files have the declared text and mode, and their folders keep the mode that they have", () => {
    mkdirSync(at("etc/private"), { mode: 0o700 });
    expect(configured({ "etc/private/key": ["600", "a"], "etc/site/agent/conf": ["644", ""] })).toBe("");
    expect([read("etc/private/key"), read("etc/site/agent/conf")]).toEqual(["a", ""]);
    const paths = ["etc/private", "etc/private/key", "etc/site", "etc/site/agent", "etc/site/agent/conf"];
    const modes = paths.map((path) => statSync(at(path)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o755, 0o755, 0o644]);
    configured({ "etc/private/key": ["640", "b"] });
    expect([read("etc/private/key"), statSync(at("etc/private/key")).mode & 0o777]).toEqual(["b", 0o640]);
  });

  it("a file that is no longer declared is removed, and no other one", () => {
    writeFileSync(at("etc/private/other"), "the image's own");
    configured({});
    const left = ["etc/private/key", "etc/private/other", "etc/site/agent/conf", "etc/vnfm-operator-files"];
    expect(left.filter((path) => existsSync(at(path)))).toEqual(["etc/private/other"]);
  });

  it("a folder at the path of a file ends the run, gets nothing and stays", () => {
    expect(() => configured({ "etc/private": ["644", "a"] })).toThrow("overwrite directory");
    configured({});
    expect(readdirSync(at("etc/private"))).toEqual(["other"]);
  });
});

describe("the proxy", () => {
  const env = (url: string) => ({ "etc/containerd/vnfm-proxy.env": ["600", url] }) as const;
  const proxy = (files: Files, more = "") => runWith("proxy", { proxy_files: linesOf(files) }, more);
  const restarted = "daemon-reload\ntry-restart containerd\n";

  it("containerd restarts for another proxy only, and root alone reads it", () => {
    expect([proxy({}), proxy(env("a")), proxy(env("a")), proxy(env("b"))]).toEqual([
      ...["", restarted, ""],
      restarted,
    ]);
    expect(statSync(at("etc/containerd/vnfm-proxy.env")).mode & 0o777).toBe(0o600);
  });

  it("containerd restarts after a run that was cut off", () => {
    expect(() => proxy(env("c"), "systemctl() { return 1; }\n")).toThrow();
    expect([proxy(env("c")), proxy(env("c"))]).toEqual([restarted, ""]);
  });

  it("the files go with the setting, also after a run that was cut off", () => {
    expect(() => proxy({}, "systemctl() { return 1; }\n")).toThrow();
    expect(existsSync(at("etc/containerd/vnfm-proxy.env"))).toBe(false);
    expect([proxy({}), proxy({})]).toEqual([restarted, ""]);
  });
});

describe("trusted CAs", () => {
  const TRUSTED = "usr/local/share/ca-certificates";
  const ca = (i: number, content: string) => ({ [`${TRUSTED}/vnfm-${i}.crt`]: ["644", content] }) as const;
  const trust = (files: Files, more = "") => runWith("trust", { trusted_files: linesOf(files) }, more);
  const updates = () => {
    const text = existsSync(at("updated")) ? readFileSync(at("updated"), "utf8") : "";
    rmSync(at("updated"), { force: true });
    return text;
  };
  const restarted = "is-active -q containerd\nrestart containerd\n";
  const update = "update-ca-certificates --fresh\n";
  const trusted = () => readdirSync(at(TRUSTED)).sort();

  it("a node without trusted CAs is left alone", () => {
    expect([trust({}), updates()]).toEqual(["", ""]);
    expect(existsSync(at("etc/vnfm-trusted-files"))).toBe(false);
  });

  it("trusted CAs are updated once, and containerd reads them anew", () => {
    mkdirSync(at(TRUSTED), { recursive: true });
    writeFileSync(at(`${TRUSTED}/image.crt`), "the image's own");
    expect([trust({ ...ca(1, "a"), ...ca(2, "b") }), updates()]).toEqual([restarted, update]);
    expect(trusted()).toEqual(["image.crt", "vnfm-1.crt", "vnfm-2.crt"]);
    expect(readFileSync(at(`${TRUSTED}/vnfm-2.crt`), "utf8")).toBe("b");
    expect([trust({ ...ca(1, "a"), ...ca(2, "b") }), updates()]).toEqual(["", ""]);
  });

  it("trusted CAs go when they are no longer declared, and those of the image stay", () => {
    expect([trust(ca(1, "c")), updates()]).toEqual([restarted, update]);
    expect(trusted()).toEqual(["image.crt", "vnfm-1.crt"]);
    expect([trust({}), updates()]).toEqual([restarted, update]);
    expect(trusted()).toEqual(["image.crt"]);
    expect([trust({}), updates()]).toEqual(["", ""]);
  });

  it("trusted CAs are updated again after a run that was cut off, and without containerd nothing is restarted", () => {
    expect(() => trust(ca(1, "a"), "update-ca-certificates() { return 1; }\n")).toThrow();
    const without = "systemctl() { return 3; }\n";
    expect([trust(ca(1, "a"), without), updates()]).toEqual(["", update]);
  });

  it("the former CAs are trusted again after a change that was cut off and taken back", () => {
    const cutOff = (files: Files) =>
      expect(() => trust(files, "update-ca-certificates() { return 1; }\n")).toThrow();
    cutOff(ca(1, "b"));
    expect([trust(ca(1, "a")), updates()]).toEqual([restarted, update]);
    expect(readFileSync(at(`${TRUSTED}/vnfm-1.crt`), "utf8")).toBe("a");
    expect([trust({}), updates()]).toEqual([restarted, update]);
    cutOff(ca(1, "c"));
    expect([trust({}), updates()]).toEqual([restarted, update]);
    expect(trusted()).toEqual(["image.crt"]);
    expect(existsSync(at("etc/vnfm-trusted-files"))).toBe(false);
  });

  it("trusted CAs are copied to the folder that the Red Hat family reads", () => {
    const anchors = "etc/pki/ca-trust/source/anchors";
    mkdirSync(at(anchors), { recursive: true });
    writeFileSync(at(`${anchors}/vnfm-2.crt`), "of a run before");
    trust(ca(1, "d"), `update-ca-trust() { echo "$(ls "${folder}/${anchors}")" >>"${folder}/updated"; }\n`);
    expect(updates()).toBe("vnfm-1.crt\n");
  });
});
