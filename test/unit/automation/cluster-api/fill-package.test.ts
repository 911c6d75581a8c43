/** The package of a management cluster is filled from a mirror, a folder or a server. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../../../automation/cluster-api/digests";
import { RELEASE_FILES, type Versions } from "../../../../automation/cluster-api/releases";
import { Fault } from "../../../../automation/fault";
import { loadPackage } from "../../../../components/vnfd/package";
import { REPOSITORY } from "../../../support/command";
import { fillPackage } from "../../../../automation/cluster-api/fill-package";

const VERSIONS: Versions = { core: "v1.13.4", openstack: "v0.14.7", orc: "v2.4.0" };
let work: string;

beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "vnfm-fill-"));
  mkdirSync(join(work, "package/TOSCA-Metadata"), { recursive: true });
  writeFileSync(join(work, "package/TOSCA-Metadata/TOSCA.meta"), "");
});
afterEach(() => rmSync(work, { recursive: true }));

/** A mirror of small releases. @returns its folder */
function mirror(versions: Versions = VERSIONS, contract = "v1beta1"): string {
  const root = join(work, "mirror");
  for (const { provider, project, file } of RELEASE_FILES) {
    const version = versions[project];
    const [major, minor] = version.slice(1).split(".");
    const folder = join(root, provider, version);
    mkdirSync(folder, { recursive: true });
    const own = project === "openstack" ? contract : "v1beta2";
    writeFileSync(
      join(folder, "metadata.yaml"),
      `releaseSeries:\n- { major: ${major}, minor: ${minor}, contract: ${own} }\n`,
    );
    writeFileSync(
      join(folder, file),
      `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${provider}\n  labels: { a: "\${A:=b}" }\n`,
    );
  }
  return root;
}

const fill = (from: string, versions: Versions = VERSIONS) =>
  fillPackage({ versions, from, into: join(work, "package") });
const filled = (): string[] => readdirSync(join(work, "package/Files/kubernetes")).sort();

it("the command writes the releases as they are, over those before", async () => {
  const from = mirror();
  const lines = await fill(`${from}/`);
  expect(filled()).toEqual([...RELEASE_FILES.map(({ packaged }) => packaged), "releases.sha256"].sort());
  expect(lines).toContainEqual(
    expect.stringMatching(/core-components.yaml: 1 objects, sha256:[0-9a-f]{64}$/),
  );
  expect(lines.at(-1)).toMatch("cert-manager");
  expect(readFileSync(join(work, "package/Files/kubernetes/core-components.yaml"), "utf8")).toBe(
    readFileSync(join(from, "cluster-api/v1.13.4/core-components.yaml"), "utf8"),
  );
  await fill(from);
  expect(filled()).toHaveLength(6);
});

it("the command keeps the digests in the form of sha256sum, those of other versions too, and takes no other file", async () => {
  const from = mirror();
  await fill(from);
  const newer = { ...VERSIONS, core: "v1.13.5" };
  mirror(newer);
  await fill(from, newer);
  const digests = join(work, "package/Files/kubernetes/releases.sha256");
  expect(readFileSync(digests, "utf8").split("\n")).toHaveLength(9 + 6 + 1);
  execFileSync("sha256sum", ["--check", "--strict", digests], { cwd: from, stdio: "pipe" });

  const core = join(from, "cluster-api/v1.13.4/core-components.yaml");
  const before = readFileSync(core);
  writeFileSync(core, `${before.toString()}# and cluster-admin for somebody else\n`);
  await expect(fill(from)).rejects.toThrow(
    new Fault(
      "these files differ from those downloaded before:\n" +
        `  cluster-api/v1.13.4/core-components.yaml has the digest sha256:${sha256(readFileSync(core))}, ` +
        `not sha256:${sha256(before)} as in ${digests}: the files of a release never change; ` +
        "if the new file is correct, delete its line there",
    ),
  );
});

it("the command writes through no link that waits at the name of a part", async () => {
  const from = mirror();
  await fill(from);
  const victim = join(work, "victim");
  writeFileSync(victim, "theirs");
  symlinkSync(victim, join(work, "package/Files/kubernetes/core-components.yaml.part"));
  await fill(from);
  expect(readFileSync(victim, "utf8")).toBe("theirs");
});

it("the command says where the file of digests is none", async () => {
  const from = mirror();
  await fill(from);
  const digests = join(work, "package/Files/kubernetes/releases.sha256");
  writeFileSync(digests, "<html>\n");
  await expect(fill(from)).rejects.toThrow(new Fault(`${digests}: "<html>" is not a line of sha256sum`));
});

it.each<[string, Partial<Versions>, string, string]>([
  [
    "a contract that core does not serve",
    {},
    "v1alpha4",
    "infrastructure-openstack v0.14.7 implements the contract v1alpha4",
  ],
  [
    "a core that is too old",
    { core: "v1.11.3" },
    "v1beta1",
    "CAPO v0.14.7 needs Cluster API v1.12 or newer, not v1.11.3",
  ],
  [
    "an ORC that is too old",
    { orc: "v2.3.9" },
    "v1beta1",
    "CAPO v0.14.7 needs ORC v2.4 or newer, not v2.3.9",
  ],
  ["an ORC of another major release", { orc: "v3.0.0" }, "v1beta1", "needs ORC v2.4 or newer, not v3.0.0"],
])("the command refuses %s, and writes nothing", async (_, changes, contract, message) => {
  const versions = { ...VERSIONS, ...changes };
  await expect(fill(mirror(versions, contract), versions)).rejects.toThrow(message);
  expect(readdirSync(join(work, "package"))).toEqual(["TOSCA-Metadata"]);
});

it("the command says where it knows a release by its contract alone", async () => {
  const versions = { ...VERSIONS, openstack: "v0.15.0" };
  expect(await fill(mirror(versions), versions)).toContainEqual(
    expect.stringMatching(/^CAPO v0.15.0: .* not known/),
  );
});

it("the command names the file that a mirror has not, or that is no manifest", async () => {
  const from = mirror();
  const file = join(from, "openstack-resource-controller/v2.4.0/install.yaml");
  writeFileSync(file, "<html>log in</html>");
  await expect(fill(from)).rejects.toThrow(/install\.yaml.*is not a Kubernetes object/);
  rmSync(file);
  await expect(fill(from)).rejects.toThrow(`${file} cannot be read: ENOENT`);
  await expect(fill(from, { ...VERSIONS, core: "v1.14.0" })).rejects.toThrow(
    "cluster-api/v1.14.0/metadata.yaml cannot be read",
  );
  expect(readdirSync(join(work, "package"))).toEqual(["TOSCA-Metadata"]);
});

it("the command names the release that its metadata says nothing of", async () => {
  const from = mirror();
  cpSync(join(from, "cluster-api/v1.13.4"), join(from, "cluster-api/v1.14.0"), { recursive: true });
  await expect(fill(from, { ...VERSIONS, core: "v1.14.0" })).rejects.toThrow(
    "metadata.yaml of cluster-api v1.14.0 has no contract for v1.14",
  );
});

it("the command wants a VNF package to fill", async () => {
  rmSync(join(work, "package/TOSCA-Metadata"), { recursive: true });
  await expect(fill(mirror())).rejects.toThrow("is no VNF package");
});

it("the command fills a copy of vnfm's package in a project that has none", async () => {
  const from = mirror();
  process.chdir(work);
  try {
    const into = "vnf-packages/cluster-api";
    await fillPackage({ versions: VERSIONS, from, into });
    expect(Object.keys(loadPackage(into).vnfd.flavours)).toEqual(["simple"]);
    for (const { packaged } of RELEASE_FILES)
      expect(readFileSync(join(into, "Files/kubernetes", packaged), "utf8")).toContain("kind: Namespace");
  } finally {
    process.chdir(REPOSITORY);
  }
});

describe("from a server", () => {
  let server: Server;
  let url: string;
  beforeEach(async () => {
    const root = mirror();
    server = createServer(({ url: path = "" }, response) => {
      try {
        response.end(readFileSync(join(root, path.replace("/releases", ""))));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/releases`;
  });
  afterEach(() => server.close());

  it("reads the same layout", async () => {
    await fill(url);
    expect(filled()).toHaveLength(6);
  });

  it("names what it was not given", async () => {
    await expect(fill(`${url}/other`)).rejects.toThrow(
      /the response for .*other\/cluster-api\/v1.13.4\/metadata.yaml has status 404/,
    );
    server.close();
    server.closeAllConnections();
    await expect(fill(url)).rejects.toThrow(/metadata.yaml cannot be read: ECONN/);
  });
});
