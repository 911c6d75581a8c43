/** How processes end whose work is not done: of each program that a run starts, and of the run's own program. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { REPOSITORY, run } from "../support/command";

const node = (program: string, input = "", ...args: string[]) =>
  run(process.execPath, ["--require", "./components/run/typescript.cjs", "-e", program, ...args], { input });

const MARKED = `const { mustFinish } = require("./components/base/unfinished");
const mark = (promise) => mustFinish("the plan", promise, (message) => console.error(message));`;

it.each([
  ["a promise that never settles", "mark(new Promise(() => {}))", 1],
  ["one that does", "mark(Promise.resolve())", 0],
  ["one that settles later", "mark(new Promise((done) => setTimeout(done, 20)))", 0],
  ["process.exit() of somebody else", "mark(new Promise(() => {})); process.exit()", 1],
  ["a status of its own", "mark(new Promise(() => {})); process.exit(7)", 7],
])("a process ends by its marked work: %s", async (_, work, status) => {
  const ended = await node(`${MARKED}\n${work}`);
  expect(ended.status).toBe(status);
  expect(ended.stderr.includes("ends before this is done: the plan.")).toBe(status === 1);
});

it("a marked work comes before the handlers by which Pulumi tells the engine that the program has succeeded", async () => {
  // the engine's own are registered first, and again within a tick of the first event: see cmd/run/index.js of the SDK
  const { stdout } = await node(`
    let again = false;
    process.on("beforeExit", () => process.nextTick(() => {
      if (again) return;
      again = true;
      setImmediate(() => {});
      process.on("beforeExit", (code) => console.log("status", code));
    }));
    ${MARKED}
    mark(new Promise(() => {}));`);
  expect(stdout).toBe("status 1\n");
});

it("a step whose program never settles fails", async () => {
  const { status, stderr } = await node(
    'require("./components/run/program").startProgram(() => new Promise(() => {}))',
  );
  expect(status).toBe(1);
  expect(stderr).toContain("ends before this is done: the step.");
});

const SCRIPTS = join(REPOSITORY, "components/deploy/objects/scripts");
/** But for the one that speaks TLS alone. */
const programs = readdirSync(SCRIPTS).filter(
  (name) =>
    name !== "send-credentials.ts" && readFileSync(join(SCRIPTS, name), "utf8").includes("startProgram("),
);

describe("an API server that switches protocols and closes", () => {
  let server: Server;
  beforeAll((done) => {
    server = createServer((socket) => {
      socket.on("error", () => undefined).resume();
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tls\r\n\r\n");
    }).listen(0, "127.0.0.1", done);
  });
  afterAll((done) => void server.close(done));

  const where = { path: "/api/v1/pods/web", shown: "Pod web", name: "web", until: "ready", custom: {} };
  const input = () => ({
    access: {
      cluster: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      user: { token: "t" },
    },
    seconds: 1,
    ...where,
    ...{ object: { kind: "Pod" }, objects: [where], names: ["web"], definitions: {}, mine: [] },
    ...{ vnf: "web", owner: ["vnfm", "web"], balances: true, drivers: [], isLast: false },
  });

  it.each(programs)("%s fails", async (program) => {
    const { status } = await run(process.execPath, [join(SCRIPTS, program), "delete"], {
      input: JSON.stringify(input()),
    });
    expect(status).toBe(1);
  });
});
