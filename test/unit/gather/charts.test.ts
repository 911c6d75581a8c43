import { createHash } from "node:crypto";
import {
  existsSync,
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
import { dirname, join } from "node:path";
import { placeChart } from "../../../components/gather/chart-files";
import { Secret } from "../../../components/base/secret";
import { packageOf } from "../cnf/support";
import { placeOf } from "../places";

const archive = Buffer.from("the archive");
const sha256 = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");

let server: Server;
let url: string;
let asked: string[];
/** The header `Authorization` of each request. */
let logins: (string | undefined)[];
/** The archive that the index names for the version 2.0.0. */
let elsewhere: string;
const project = process.cwd();
let folder: string;

beforeAll((done) => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    logins.push(request.headers.authorization);
    const index = `entries: {web: [{version: 1.0.0, urls: [files/web-1.0.0.tgz]}, {version: 0.9.0, urls: []}, {version: 2.0.0, urls: ["${elsewhere}"]}]}`;
    const answers: Record<string, Buffer | string> = {
      "/charts/index.yaml": index,
      "/charts/files/web-1.0.0.tgz": archive,
    };
    const answer = answers[request.url?.replace(/\?.*/, "") ?? ""];
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
  }).listen(0, "127.0.0.1", done);
});

beforeEach(() => {
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/charts`;
  [asked, logins] = [[], []];
  elsewhere = "";
  folder = mkdtempSync(join(tmpdir(), "vnfm-charts-"));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(project);
  rmSync(folder, { recursive: true });
});

afterAll((done) => void server.close(done));

const request = (more: object = {}) => ({
  place: placeOf("vnfm:vnfs", "cnf"),
  chart: {
    kind: "repository" as const,
    ...{ url, chart: "web", version: "1.0.0", digest: sha256(archive), ...more },
  },
});
const noPackage = packageOf({});

describe("a chart of a repository", () => {
  test("is fetched once, to a folder with the name of its digest", async () => {
    const placed = await placeChart(request(), noPackage);
    expect(placed).toBe(`.charts/${sha256(archive).slice(0, 16)}/web-1.0.0.tgz`);
    expect(readFileSync(placed)).toEqual(archive);
    expect(await placeChart(request(), noPackage)).toBe(placed);
    expect(asked).toEqual(["/charts/index.yaml", "/charts/files/web-1.0.0.tgz"]);
  });

  test("is fetched again where what is there has another digest", async () => {
    const placed = await placeChart(request(), noPackage);
    writeFileSync(placed, "another archive");
    expect(await placeChart(request(), noPackage)).toBe(placed);
    expect(readFileSync(placed)).toEqual(archive);
    expect(asked).toHaveLength(4);
  });

  test("is fetched once for all that ask for it at the same time", async () => {
    const [one, other] = await Promise.all([
      placeChart(request(), noPackage),
      placeChart(request(), noPackage),
    ]);
    expect(other).toBe(one);
    expect(asked).toEqual(["/charts/index.yaml", "/charts/files/web-1.0.0.tgz"]);
  });

  test.each<[string, object, string]>([
    [
      "another archive",
      { digest: "0".repeat(64) },
      `the archive has the digest sha256:${sha256(archive)}, not`,
    ],
    ["no such chart", { chart: "wed" }, 'the index has no chart "wed"'],
    ["no such version", { version: "3.0.0" }, "the index has no such version; it has 1.0.0, 0.9.0, 2.0.0"],
    ["no archive", { version: "0.9.0" }, "the index has no archive of it"],
    ["no answer", { url: "http://127.0.0.1:9/" }, "http://127.0.0.1:9 cannot be reached: "],
  ])("with %s is a fault, and leaves nothing", async (_, more, message) => {
    await expect(placeChart(request(more), noPackage)).rejects.toThrow(message);
    expect(existsSync(".charts")).toBe(false);
  });

  test("is asked for with the query of its URL, which no fault shows", async () => {
    const query = "?sig=hidden%2F&share=100%";
    await placeChart(request({ url: url + query }), noPackage);
    expect(asked).toEqual([`/charts/index.yaml${query}`, `/charts/files/web-1.0.0.tgz${query}`]);
    const { message } = (await placeChart(
      request({ url: `${url}/none${query}`, digest: "0".repeat(64) }),
      noPackage,
    ).catch((error: unknown) => error)) as Error;
    expect(message).toBe(
      `vnfm:vnfs.cnf: chart web 1.0.0 of ${url}/none: ${url}/none/index.yaml answers 404 Not Found`,
    );
  });

  test("is asked for without that query at another host, however the index names it", async () => {
    const other = url.replace("http://127.0.0.1", "//localhost");
    elsewhere = `${other}/files/web-1.0.0.tgz`;
    await placeChart(request({ url: `${url}?sig=hidden`, version: "2.0.0" }), noPackage);
    expect(asked).toEqual(["/charts/index.yaml?sig=hidden", "/charts/files/web-1.0.0.tgz"]);
  });

  const login = { username: "reader", password: new Secret("hidden") };
  const basic = `Basic ${btoa("reader:hidden")}`;

  test("is asked for with its login, and another host without it", async () => {
    await placeChart(request({ login }), noPackage);
    expect(logins).toEqual([basic, basic]);
    elsewhere = `${url.replace("127.0.0.1", "localhost")}/files/web-1.0.0.tgz`;
    await placeChart(request({ login, version: "2.0.0" }), noPackage);
    expect(logins).toEqual([basic, basic, basic, undefined]);
  });

  test.each<[string, object, string]>([
    [
      "a login over http",
      { url: "http://charts.example/a", login },
      "chart web 1.0.0 of http://charts.example/a: the password would be sent unencrypted; use a repository of https:// or oci://",
    ],
    [
      "a login in its URL",
      { url: "https://reader:hidden@charts.example/a" },
      "chart web 1.0.0 of https://charts.example/a: its URL contains credentials, which would be shown; set username and password instead",
    ],
    ["a URL that is none", { url: "https://[a" }, "chart web 1.0.0 of https://[a: its URL is not valid"],
  ])("with %s is a fault, and nobody is asked", async (_, more, message) => {
    await expect(placeChart(request(more), noPackage)).rejects.toThrow(
      new Error(`vnfm:vnfs.cnf: ${message}`),
    );
    expect(asked).toEqual([]);
  });

  test("is a fault if its archive has a URL of another kind", async () => {
    elsewhere = "file:///etc/passwd";
    await expect(placeChart(request({ version: "2.0.0" }), noPackage)).rejects.toThrow(
      'the index has "file:///etc/passwd" as its archive; only https:// and oci:// are supported',
    );
  });

  test("without an index is a fault", async () => {
    const wanted = request({ url: `${url}/none` });
    await expect(placeChart(wanted, noPackage)).rejects.toThrow(
      `${url}/none/index.yaml answers 404 Not Found`,
    );
  });
});

describe("a chart of a registry", () => {
  const layer = {
    mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
    digest: `sha256:${sha256(archive)}`,
  };
  const manifest = JSON.stringify({ layers: [layer] });
  let registry: Server;
  let registryUrl: string;
  /** What the registry wants to know of who asks it for a token. */
  let wantedLogin: string | undefined;

  /** Hosts to which it redirects requests for a token, and all requests. */
  let realm: string;
  let redirect: string | undefined;
  let token: object;

  beforeEach(() => {
    [wantedLogin, redirect] = [undefined, undefined];
    [realm, token] = [`${registryUrl}/token`, { token: "for-anybody" }];
  });

  beforeAll((done) => {
    registry = createServer(({ url = "", headers }, response) => {
      const answers: Record<string, Buffer | string> = {
        "/v2/charts/web/manifests/1.0.0_1": manifest,
        [`/v2/charts/web/blobs/${layer.digest}`]: archive,
      };
      if (url === "/token?service=registry&scope=repository%3Acharts%2Fweb%3Apull")
        response.writeHead(headers.authorization === wantedLogin ? 200 : 401).end(JSON.stringify(token));
      else if (redirect !== undefined) response.writeHead(307, { location: redirect }).end();
      else if (headers.authorization !== "Bearer for-anybody") {
        const challenge = `Bearer realm="${realm}",service="registry",scope="repository:charts/web:pull"`;
        response.writeHead(401, { "www-authenticate": challenge }).end();
      } else response.writeHead(answers[url] === undefined ? 404 : 200).end(answers[url]);
    }).listen(0, "127.0.0.1", () => {
      registryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
      done();
    });
  });

  afterAll((done) => void registry.close(done));

  const ofRegistry = (digest: string) =>
    request({ url: `${registryUrl.replace("http:", "oci:")}/charts`, version: "1.0.0+1", digest });

  test("is fetched with the token that the registry gives to anybody", async () => {
    const placed = await placeChart(ofRegistry(sha256(manifest)), noPackage);
    expect(placed).toBe(`.charts/${sha256(manifest).slice(0, 16)}/web-1.0.0+1.tgz`);
    expect(readFileSync(placed)).toEqual(archive);
  });

  test("is fetched with the token that the registry gives to who logs in", async () => {
    wantedLogin = `Basic ${btoa("reader:hidden")}`;
    await expect(placeChart(ofRegistry(sha256(manifest)), noPackage)).rejects.toThrow(
      `${registryUrl}/token answers 401 Unauthorized`,
    );
    const wanted = ofRegistry(sha256(manifest));
    const login = { username: "reader", password: new Secret("hidden") };
    const placed = await placeChart({ ...wanted, chart: { ...wanted.chart, login } }, noPackage);
    expect(readFileSync(placed)).toEqual(archive);
  });

  describe("with a login", () => {
    const login = { username: "reader", password: new Secret("hidden") };
    const fetched = (more: object = {}) => {
      const wanted = ofRegistry(sha256(manifest));
      return placeChart({ ...wanted, chart: { ...wanted.chart, login: { ...login, ...more } } }, noPackage);
    };
    /** Another host, and the logins that it has got. */
    let other: Server;
    let otherHost: string;
    let got: (string | undefined)[];

    beforeEach((done) => {
      got = [];
      other = createServer(({ headers }, response) => {
        got.push(headers.authorization);
        const challenge = `Bearer realm="http://${otherHost}/token"`;
        response.writeHead(401, { "www-authenticate": challenge }).end();
      }).listen(0, "127.0.0.1", () => {
        otherHost = `localhost:${(other.address() as AddressInfo).port}`;
        done();
      });
    });
    afterEach((done) => void other.close(done));

    test("keeps the login from a token server on another host, unless a setting names it", async () => {
      realm = `http://${otherHost}/token`;
      await expect(fetched()).rejects.toThrow(
        `the registry gets its tokens from ${otherHost}, which would receive the credentials: set login.token_host to ${otherHost}`,
      );
      expect(got).toEqual([]);
      await expect(fetched({ token_host: otherHost })).rejects.toThrow("/token answers 401 Unauthorized");
      expect(got).toEqual([`Basic ${btoa("reader:hidden")}`]);
    });

    test("keeps the login from the target of a redirect to another host", async () => {
      redirect = `http://${otherHost}/v2/`;
      await expect(fetched()).rejects.toThrow(
        `the registry redirects to ${otherHost}, which requires credentials, and these are only for ${new URL(registryUrl).host}`,
      );
      expect(got).toEqual([undefined]);
    });

    test.each([{}, { token: 5 }, { token: "a b\nc" }])(
      "is reported if %j is its answer for a token",
      async (answer) => {
        token = answer;
        wantedLogin = `Basic ${btoa("reader:hidden")}`;
        await expect(fetched()).rejects.toThrow(/: 127\.0\.0\.1:\d+ returned no token$/);
      },
    );
  });

  test.each([":1.0.0_1", ""])(
    "is fetched where an index names it as archive, with the tag %j",
    async (tag) => {
      const version = tag === "" ? "1.0.0+1" : "2.0.0";
      const chart = `${registryUrl.replace("http:", "oci:")}/charts/web${tag}`;
      const index = createServer((_, response) =>
        response.end(`entries: {web: [{version: ${version}, urls: ["${chart}"]}]}`),
      );
      await new Promise<void>((done) => void index.listen(0, "127.0.0.1", done));
      const url = `http://127.0.0.1:${(index.address() as AddressInfo).port}`;
      try {
        const placed = await placeChart(request({ url, version }), noPackage);
        expect(placed).toBe(`.charts/${sha256(archive).slice(0, 16)}/web-${version}.tgz`);
        expect(readFileSync(placed)).toEqual(archive);
        expect(readdirSync(dirname(placed))).toEqual([`web-${version}.tgz`]);
      } finally {
        index.close();
      }
    },
  );

  test("is fetched again where its archive or its manifest is another than the digest says", async () => {
    const placed = await placeChart(ofRegistry(sha256(manifest)), noPackage);
    const manifestFile = join(dirname(placed), "manifest.json");
    for (const file of [placed, manifestFile]) {
      // a manifest for the archive, but not the chart's
      writeFileSync(file, file === placed ? "another archive" : JSON.stringify({ layers: [layer, layer] }));
      expect(await placeChart(ofRegistry(sha256(manifest)), noPackage)).toBe(placed);
      expect(readFileSync(placed)).toEqual(archive);
      expect(readFileSync(manifestFile, "utf8")).toBe(manifest);
    }
  });

  test("with another manifest is a fault", async () => {
    await expect(placeChart(ofRegistry(sha256(archive)), noPackage)).rejects.toThrow(
      `the manifest has the digest sha256:${sha256(manifest)}, not`,
    );
  });
});

test("a chart of the package that Helm would not install is a fault", async () => {
  const files = packageOf({ "Files/web/Chart.yaml": "name: web\ndependencies: [{name: redis}]" });
  const wanted = {
    place: placeOf("vnfm:vnfs", "cnf"),
    chart: { kind: "package" as const, path: "Files/web" },
  };
  await expect(placeChart(wanted, files)).rejects.toThrow(
    new Error(
      'vnfm:vnfs.cnf: Files/web depends on redis, and does not contain it in its folder charts: "helm dependency build" adds them',
    ),
  );
});

test("a chart's folder in the package is copied, to another folder once its content is another", async () => {
  const chart = (values: string) =>
    packageOf({ "Files/web/Chart.yaml": "name: web", "Files/web/templates/a.yaml": values, "Files/x": "x" });
  const wanted = { place: placeOf("p"), chart: { kind: "package" as const, path: "Files/web" } };
  const placed = await placeChart(wanted, chart("a: 1"));
  expect(placed).toMatch(/^\.charts\/[0-9a-f]{16}\/web$/);
  expect(readFileSync(join(placed, "templates/a.yaml"), "utf8")).toBe("a: 1");
  expect(await placeChart(wanted, chart("a: 1"))).toBe(placed);
  expect(await placeChart(wanted, chart("a: 2"))).not.toBe(placed);
});

test("a chart of the package is not written into a folder that waits for it", async () => {
  const files = packageOf({ "Files/web/Chart.yaml": "name: web" });
  const wanted = { place: placeOf("p"), chart: { kind: "package" as const, path: "Files/web" } };
  const placed = dirname(await placeChart(wanted, files));
  rmSync(placed, { recursive: true });
  const victim = join(folder, "victim");
  writeFileSync(victim, "theirs");
  mkdirSync(join(`${placed}.${process.pid}`, "web"), { recursive: true });
  symlinkSync(victim, join(`${placed}.${process.pid}`, "web/Chart.yaml"));
  await placeChart(wanted, files);
  expect(readFileSync(victim, "utf8")).toBe("theirs");
  expect(readFileSync(join(placed, "web/Chart.yaml"), "utf8")).toBe("name: web");
});

test.each(["templates/a.yaml", "templates/more.yaml"])(
  "a chart of the package is put there again where somebody has written %s",
  async (file) => {
    const files = packageOf({ "Files/web/Chart.yaml": "name: web", "Files/web/templates/a.yaml": "a: 1" });
    const wanted = { place: placeOf("p"), chart: { kind: "package" as const, path: "Files/web" } };
    const placed = await placeChart(wanted, files);
    writeFileSync(join(placed, file), "kind: Evil");
    expect(await placeChart(wanted, files)).toBe(placed);
    expect(readdirSync(join(placed, "templates"))).toEqual(["a.yaml"]);
    expect(readFileSync(join(placed, "templates/a.yaml"), "utf8")).toBe("a: 1");
  },
);
