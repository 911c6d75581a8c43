/** Tests of the list of snapshots in a bucket, with an S3 server of the test. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { bucketOf, keptInBucket } from "../../../../automation/checks/snapshot-bucket";

const CA = "0".repeat(64);
const PREFIX = "vnf-a-0123456789abcdef";
const archive = (time: string) =>
  `c2lnbmF0dXJl ${time} 48211 1204 v1.33.0 ${CA} vnf-a-masternode-1\n${"x".repeat(9000)}`;

let objects: Map<string, string>;
let server: Server;
let endpoint: string;

beforeEach(async () => {
  objects = new Map();
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://bucket");
    const isSigned = request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=vnfm/");
    const found = objects.get(pathname);
    const range = /^bytes=0-(\d+)$/.exec(request.headers.range ?? "");
    if (isSigned !== true) response.writeHead(403);
    else if (searchParams.has("list-type")) {
      const keys = [...objects.keys()].map((path) => path.replace("/states/", ""));
      const listed = keys.filter((key) => key.startsWith(searchParams.get("prefix") ?? ""));
      response.write(listed.map((key) => `<Contents><Key>${key}</Key><Size>9</Size></Contents>`).join(""));
    } else if (found === undefined || range === null) response.writeHead(404);
    else response.writeHead(206).write(found.slice(0, Number(range[1]) + 1));
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.close();
  await once(server, "close");
});

const bucket = (changes: Readonly<Record<string, string>> = {}) => {
  const ofBucket = { bucket_endpoint: endpoint, bucket_region: "us-east-1", bucket_name: "states" };
  const keys = { bucket_access_key: "vnfm", bucket_secret_key: "kept secret" };
  const data = { ...ofBucket, bucket_prefix: PREFIX, ...keys, ...changes };
  const found = bucketOf({ stdin: JSON.stringify({ data }) });
  if (found === undefined) throw new Error("no bucket");
  return found;
};

it("the snapshots of a cluster are read from their headers, the newest first", async () => {
  for (const time of ["2026-11-23T03:05:00Z", "2026-11-23T03:10:00Z"])
    objects.set(`/states/${PREFIX}/snapshot-${time.replaceAll(":", "")}`, archive(time));
  objects.set(`/states/other/snapshot-2026-11-23T031500Z`, archive("2026-11-23T03:15:00Z"));
  objects.set(`/states/${PREFIX}/snapshot-2026-11-23T032000Z`, "no header");
  objects.set(`/states/${PREFIX}/snapshot-2026-11-23T032500Z`, archive("2026-11-23T03:05:00Z"));
  objects.set(`/states/${PREFIX}/notes.txt`, "a note");
  const { copy, snapshots, age } = await keptInBucket(bucket());
  const of = { revision: 48211, keys: 1204, version: "v1.33.0", ca: CA, node: "vnf-a-masternode-1" };
  expect(copy).toBeNull();
  expect(snapshots).toEqual([
    { time: "2026-11-23T03:10:00Z", ...of },
    { time: "2026-11-23T03:05:00Z", ...of },
  ]);
  expect(age).toBeCloseTo((Date.now() - Date.parse("2026-11-23T03:10:00Z")) / 1000, -1);
});

it("an empty bucket has no snapshot", async () => {
  expect(await keptInBucket(bucket())).toEqual({ copy: null, snapshots: [], age: null });
});

it("a bucket that refuses the key is an error with its status", async () => {
  await expect(keptInBucket(bucket({ bucket_access_key: "other" }))).rejects.toThrow(
    `${endpoint}/states answers 403 Forbidden`,
  );
});

it("a step without an endpoint has no bucket", () => {
  expect(bucketOf({ stdin: JSON.stringify({ data: { bucket_endpoint: "" } }) })).toBeUndefined();
});
