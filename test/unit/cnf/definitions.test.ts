/** CRDs that are large together, and the script that makes them, on a server that answers as an API would. */
import { execFile } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { programArguments } from "../../../components/remote/program-command";
import { canonical, digest } from "../../../components/kube/objects/checksum";
import { handOver } from "../../../components/deploy/objects/handover";
import { planned } from "./support";
import { standIn } from "../../support/stand-in";

const PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const OWNER = ["vnfm.io/owner", "site-1/capi"] as const;
const BUNDLED = ["vnfm.io/bundled", "true"] as const;

const definition = (
  plural: string,
  description = "",
  annotations: Readonly<Record<string, string>> = { [OWNER[0]]: OWNER[1], [BUNDLED[0]]: BUNDLED[1] },
) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.example.com`, annotations, uid: `${plural}-uid` },
  spec: {
    ...{ group: "example.com", scope: "Namespaced", names: { plural, kind: plural } },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { description } } }],
  },
});
type Definition = ReturnType<typeof definition>;

describe("which are bundled", () => {
  const bundledOf = (bytes: readonly number[]) => {
    const all = bytes.map((size, i) => definition(`p${i}`, "x".repeat(size)));
    const { plan } = planned(
      [
        ...all,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "y".repeat(100_000) } },
      ]
        .map((object) => JSON.stringify(object))
        .join("\n---\n"),
    );
    return plan.objects.filter(({ bundled }) => bundled).map(({ object }) => object.metadata.name);
  };

  it("are all of those that are large together, and nothing else", () => {
    expect(bundledOf([30_000, 100, 40_000])).toEqual(["p0.example.com", "p1.example.com", "p2.example.com"]);
  });

  it("are none of those that are not", () => {
    expect(bundledOf([30_000, 30_000])).toEqual([]);
  });
});

jest.setTimeout(30_000);

describe("the script", () => {
  let folder: string;
  let there: Map<string, Definition & { status?: object }>;
  let asked: string[];
  /** Of those that are deleted. */
  let finalizers: string[];
  let unavailable: number;

  const api = standIn((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => answer(request.method ?? "", request.url ?? "", body));
    const reply = (status: number, object: object = {}) =>
      response.writeHead(status).end(JSON.stringify(object));
    const answer = (method: string, url: string, text: string): void => {
      const { pathname, searchParams } = new URL(url, "http://api");
      const name = pathname.slice(PATH.length + 1);
      if (method !== "GET") asked.push(`${method} ${name}`);
      if (unavailable-- > 0) return void reply(503);
      if (pathname === "/apis/example.com/v1")
        return void reply(200, {
          resources: [...there.values()].map(({ spec }) => ({ name: spec.names.plural })),
        });
      const known = there.get(name);
      if (method === "PATCH") {
        expect(request.headers["content-type"]).toBe("application/apply-patch+yaml");
        expect(Object.fromEntries(searchParams)).toEqual({ fieldManager: "vnfm", force: "true" });
        const conditions = ["Established", "NamesAccepted"].map((type) => ({ type, status: "True" }));
        there.set(name, { ...(JSON.parse(text) as Definition), status: { conditions } });
      } else if (known === undefined) return void reply(404);
      if (method === "DELETE") {
        expect(JSON.parse(text)).toMatchObject({ preconditions: { uid: known?.metadata.uid } });
        if (finalizers.length === 0) there.delete(name);
        else
          there.set(name, {
            ...(known as Definition),
            metadata: {
              ...known?.metadata,
              deletionTimestamp: "2026-01-01T00:00:00Z",
              finalizers,
            } as never,
          });
      }
      reply(200, there.get(name));
    };
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "vnfm-test-"));
    there = new Map();
    asked = [];
    finalizers = [];
    unavailable = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (
    verb: readonly string[],
    data: object,
    environment: object = {},
  ): Promise<{ said: string; printed: string }> => {
    const access = { cluster: { server: api.url }, user: { token: "s3cret" } };
    const about = { access, mine: [OWNER, BUNDLED], manager: "vnfm", seconds: 1 };
    return new Promise((resolve) => {
      const env = { ...process.env, TMPDIR: folder, ...environment };
      const child = execFile(
        "node",
        [...programArguments("deploy/objects/scripts/definitions"), ...verb],
        { env },
        (_, printed, said) => resolve({ said, printed }),
      );
      child.stdin?.end(JSON.stringify({ ...about, ...data }));
    });
  };

  /** Hands them over and applies them. @param before what was printed the time before */
  const apply = (objects: readonly Definition[], before = "") => {
    const hashes = Object.fromEntries(
      objects.map((object) => [object.metadata.name, digest(object).slice(0, 32)]),
    );
    for (const object of objects) handOver(digest(object).slice(0, 32), canonical(object), folder);
    return run([], { hashes }, { PULUMI_COMMAND_STDOUT: before });
  };

  it("applies those that are new or changed, and deletes what is there no more", async () => {
    const first = await apply([definition("a"), definition("b"), definition("c")]);
    expect(first.said).toBe("");
    expect(asked.sort()).toEqual(["PATCH a.example.com", "PATCH b.example.com", "PATCH c.example.com"]);
    asked = [];
    const second = await apply([definition("a"), definition("b", "changed")], first.printed);
    expect(second.said).toBe("");
    expect(asked).toEqual(["PATCH b.example.com", "DELETE c.example.com"]);
    asked = [];
    expect((await apply([definition("a"), definition("b", "changed")], second.printed)).printed).toBe(
      second.printed,
    );
    expect(asked).toEqual([]);
  });

  it("says on each whose it is, which its hash does not have", async () => {
    const bare = definition("a", "", {});
    expect((await apply([bare])).said).toBe("");
    expect(there.get("a.example.com")?.metadata.annotations).toEqual(Object.fromEntries([OWNER, BUNDLED]));
  });

  it("leaves one that is a resource of its own by now", async () => {
    const { printed } = await apply([definition("a"), definition("b")]);
    // as the Kubernetes plugin applies it, without our annotation of those that are none
    there.set("b.example.com", definition("b", "", Object.fromEntries([OWNER])));
    await apply([definition("a")], printed);
    expect([...there.keys()].sort()).toEqual(["a.example.com", "b.example.com"]);
  });

  it("refuses one that the engine has as a resource of its own, and would delete", async () => {
    there.set("a.example.com", definition("a", "", Object.fromEntries([OWNER])));
    const { said } = await apply([definition("a")]);
    expect(said).toMatch(/^a\.example\.com is a separate resource in the state/);
    expect(asked).toEqual([]);
  });

  it("waits until the API answers, and goes on where an earlier run was cut off", async () => {
    there.set("a.example.com", definition("a"));
    unavailable = 2;
    expect((await apply([definition("a")])).said).toMatch(/503/);
    unavailable = 0;
    expect((await apply([definition("a")])).said).toBe("");
  });

  it("says that a text is missing, or is another", async () => {
    const hashes = { "a.example.com": "0".repeat(32) };
    expect((await run([], { hashes })).said).toMatch(/0\.json: ENOENT; vnfm writes it/);
    await apply([]);
    const own = join(folder, `vnfm-${userInfo().uid}`);
    handOver("0".repeat(32), "{}", folder);
    expect((await run([], { hashes })).said).toMatch("is not the file that vnfm wrote");
    expect(statSync(own).mode & 0o777).toBe(0o700);
  });

  it("hands a text over through no link that waits at the name of a part", () => {
    handOver("1".repeat(32), "{}", folder);
    const own = join(folder, `vnfm-${userInfo().uid}`);
    const victim = join(folder, "victim");
    writeFileSync(victim, "theirs");
    symlinkSync(victim, join(own, `${"2".repeat(32)}.json.${process.pid}`));
    handOver("2".repeat(32), "{}", folder);
    expect(readFileSync(victim, "utf8")).toBe("theirs");
  });

  it("deletes those of the CNF at its end, and no other", async () => {
    there.set("a.example.com", definition("a"));
    there.set(
      "b.example.com",
      definition("b", "", { "vnfm.io/owner": "site-2/capi", "vnfm.io/bundled": "true" }),
    );
    there.set("c.example.com", definition("c", "", Object.fromEntries([OWNER])));
    const names = ["a", "b", "c", "d"].map((plural) => `${plural}.example.com`);
    expect(await run(["delete"], { names })).toEqual({ said: "", printed: "" });
    expect(asked).toEqual(["DELETE a.example.com"]);
  });

  it("says why one does not go", async () => {
    there.set("a.example.com", definition("a"));
    finalizers = ["customresourcecleanup.apiextensions.k8s.io"];
    expect((await run(["delete"], { names: ["a.example.com"] })).said).toMatch(
      /^a\.example\.com: after 1 s: is being deleted and waits, by its finalizer .*its custom resources to be deleted/,
    );
    expect(asked).toEqual(["DELETE a.example.com"]);
  });
});

describe("what is handed over", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "vnfm-test-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const own = () => join(folder, `vnfm-${userInfo().uid}`);

  it("is for this user alone, and goes after a day", () => {
    handOver("a", "1", folder);
    const old = new Date(Date.now() - 25 * 3600_000);
    utimesSync(join(own(), "a.json"), old, old);
    handOver("b", "2", folder);
    expect(readdirSync(own())).toEqual(["b.json"]);
    expect(statSync(join(own(), "b.json")).mode & 0o777).toBe(0o600);
  });

  it("goes into no folder that others may enter", () => {
    handOver("a", "1", folder);
    chmodSync(own(), 0o755);
    expect(() => handOver("b", "2", folder)).toThrow("is not a folder that belongs only to this user");
    rmSync(own(), { recursive: true });
    writeFileSync(own(), "");
    expect(() => handOver("b", "2", folder)).toThrow();
  });
});
