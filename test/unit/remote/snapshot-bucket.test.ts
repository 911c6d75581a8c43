/** Snapshots of etcd in a bucket: control-plane-store.sh with the real curl, a stand-in for systemd, and an S3 server. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();

const SECRET_KEY = 'kept "secret" \\ here';
const PREFIX = "vnf-a-0123456789abcdef";
const STORE = ".vnfm-control-plane";
const PROGRAM = "sbin/vnfm-snapshot-bucket";
/** A file whose time is that of the last success. */
const SUCCESS = "vnfm-snapshot-bucket";

/** Objects of the bucket by path. */
let objects: Map<string, Buffer>;
let server: Server;

beforeEach(async () => {
  objects = new Map();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const url = new URL(request.url ?? "", "http://bucket");
      const digest = createHash("sha256").update(body).digest("hex");
      const isSigned =
        request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=vnfm/") === true &&
        request.headers["x-amz-content-sha256"] === digest;
      const found = objects.get(url.pathname);
      if (!isSigned) response.writeHead(403);
      else if (request.method === "PUT") objects.set(url.pathname, body);
      else if (request.method === "DELETE") objects.delete(url.pathname);
      else if (url.searchParams.has("list-type"))
        response.write(listed(url.searchParams.get("prefix") ?? ""));
      else if (found === undefined) response.writeHead(404);
      else response.write(found);
      response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  standIns.program("getent", `echo "debian:x:0:0::${standIns.folder}:/bin/bash"`);
  standIns.program(
    "systemctl",
    `echo "$*" >>"${standIns.at("calls")}"; [ "$1" != start ] || bash ${standIns.at(PROGRAM)}`,
  );
  // the arguments of a program are in the process list
  standIns.program("curl", `echo "$*" >>"${standIns.at("arguments")}"; exec /usr/bin/curl "$@"`);
  for (const folder of ["etc/systemd/system", "sbin"]) mkdirSync(standIns.at(folder), { recursive: true });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function listed(prefix: string): string {
  const keys = [...objects.keys()]
    .map((path) => path.replace("/etcd/", ""))
    .filter((key) => key.startsWith(prefix));
  return `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("")}</ListBucketResult>`;
}

/** Runs the script, while this process answers as the bucket. @returns undefined for success, else its error output */
async function store(
  verb: string,
  bucket: object = BUCKET(),
): Promise<{ why: string | undefined; stdout: string }> {
  const data = { login_user: userInfo().username, public_key: "ssh-ed25519 AAAA", directory: "", ...bucket };
  const text = scriptText("control-plane-store.sh")
    .replace("PATH=/", `PATH=${standIns.folder}:/`)
    .replaceAll(/\/(run|var\/lib)\/vnfm/g, standIns.at("vnfm"))
    .replaceAll("/etc/", `${standIns.folder}/etc/`)
    .replaceAll("/usr/local/sbin/", `${standIns.folder}/sbin/`);
  const child = spawn("bash", ["-s", verb]);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end(shellAssignments(data) + text);
  const [status] = (await once(child, "close")) as [number];
  return { why: status === 0 ? undefined : stderr, stdout };
}

const BUCKET = () => ({
  bucket_endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ...{ bucket_region: "us-east-1", bucket_name: "etcd", bucket_prefix: PREFIX },
  ...{ bucket_access_key: "vnfm", bucket_secret_key: SECRET_KEY },
});

const time = (minute: number) => `2026-11-29T09:${String(minute).padStart(2, "0")}:00Z`;
const object = (minute: number) => `/etcd/${PREFIX}/snapshot-${time(minute).replaceAll(":", "")}`;

function snapshot(minute: number): void {
  mkdirSync(standIns.at(STORE), { recursive: true });
  writeFileSync(standIns.at(`${STORE}/snapshot-${time(minute)}`), `archive of ${minute}`);
}

it("a store sends each snapshot once, and the bucket keeps the newest 24", async () => {
  for (let minute = 1; minute <= 23; minute += 1) objects.set(object(minute), Buffer.from("of before"));
  for (const minute of [23, 24, 25]) snapshot(minute);
  expect(await store("create")).toMatchObject({ why: undefined });
  expect([...objects.keys()].sort()).toEqual(Array.from({ length: 24 }, (_, i) => object(i + 2)));
  expect(objects.get(object(23))?.toString()).toBe("of before");
  expect(objects.get(object(25))?.toString()).toBe("archive of 25");
});

it("a new store gets the snapshots of the bucket, with their times", async () => {
  for (const minute of [3, 5]) objects.set(object(minute), Buffer.from(`archive of ${minute}`));
  objects.set(`/etcd/vnf-b-77/snapshot-${time(7).replaceAll(":", "")}`, Buffer.from("of another cluster"));
  expect(await store("create")).toMatchObject({ why: undefined });
  expect(readdirSync(standIns.at(STORE)).sort()).toEqual([`snapshot-${time(3)}`, `snapshot-${time(5)}`]);
  const file = standIns.at(`${STORE}/snapshot-${time(5)}`);
  expect(readFileSync(file, "utf8")).toBe("archive of 5");
  expect(statSync(file).mtime.toISOString()).toBe("2026-11-29T09:05:00.000Z");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("a store that has a snapshot takes none from the bucket", async () => {
  objects.set(object(3), Buffer.from("of before"));
  snapshot(5);
  expect(await store("create")).toMatchObject({ why: undefined });
  expect(readdirSync(standIns.at(STORE))).toEqual([`snapshot-${time(5)}`]);
});

it("the secret key is in no argument of a program, and in a file that root alone reads", async () => {
  snapshot(1);
  expect(await store("create")).toMatchObject({ why: undefined });
  expect(standIns.read("arguments")).toContain("--aws-sigv4 aws:amz:us-east-1:s3");
  expect(standIns.read("arguments")).not.toContain("kept");
  expect(statSync(standIns.at(PROGRAM)).mode & 0o777).toBe(0o600);
});

it("a bucket that refuses the snapshots is named", async () => {
  snapshot(1);
  standIns.program("journalctl", 'echo "curl: (22) The requested URL returned error: 403"');
  server.removeAllListeners("request");
  server.on("request", (_, response) => response.writeHead(403).end());
  expect((await store("create")).why).toContain(
    "the bucket etcd does not take the snapshots of etcd: curl: (22) The requested URL returned error: 403",
  );
});

it("a curl that signs no requests to S3 is refused before anything is sent", async () => {
  standIns.program("curl", 'echo "curl 7.81.0 (x86_64-pc-linux-gnu)"');
  expect((await store("create")).why).toContain("curl is 7.81.0, and signs no requests to S3 before 7.88");
  expect(existsSync(standIns.at(PROGRAM))).toBe(false);
});

it("a check reports a timer that does not run, and a bucket without a new snapshot", async () => {
  snapshot(1);
  expect(await store("create")).toMatchObject({ why: undefined });
  expect((await store("check")).stdout).toBe("");
  const past = Date.now() / 1000 - 12 * 60;
  utimesSync(standIns.at(SUCCESS), past, past);
  standIns.program("systemctl", "exit 3");
  expect((await store("check")).stdout).toBe(
    "the timer vnfm-snapshot-bucket does not run\n" +
      "the bucket etcd has received no snapshot of etcd for more than 10 minutes: see 'journalctl -u vnfm-snapshot-bucket' there\n",
  );
});

it("a check reports a store whose key or program somebody has removed", async () => {
  const missing =
    "control-plane nodes can store no snapshot of etcd here: their program or their key is missing\n";
  expect(await store("create")).toMatchObject({ why: undefined });
  writeFileSync(standIns.at(".ssh/authorized_keys"), "ssh-ed25519 BBBB operator\n");
  expect((await store("check")).stdout).toBe(missing);
  expect(await store("create")).toMatchObject({ why: undefined });
  expect((await store("check")).stdout).toBe("");
  rmSync(standIns.at("sbin/vnfm-control-plane-store"));
  expect((await store("check")).stdout).toBe(missing);
});

it("a bucket that leaves the settings gets nothing any more", async () => {
  snapshot(1);
  expect(await store("create")).toMatchObject({ why: undefined });
  const none = Object.fromEntries(Object.keys(BUCKET()).map((name) => [name, ""]));
  expect(await store("update", none)).toMatchObject({ why: undefined });
  expect(standIns.read("calls")).toContain("disable --now vnfm-snapshot-bucket.timer");
  expect([PROGRAM, SUCCESS].filter((path) => existsSync(standIns.at(path)))).toEqual([]);
  expect((await store("check", none)).stdout).toBe("");
});
