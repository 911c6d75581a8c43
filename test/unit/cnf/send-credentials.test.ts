/** The script that sends a cluster's credentials, to a server that speaks TLS. */
import { spawn } from "node:child_process";
import { programArguments } from "../../../components/remote/program-command";
import { Receiver } from "../../support/receiver";

jest.setTimeout(30_000);

let receiver: Receiver;

afterEach(() => receiver.stop());

const SCRIPT = programArguments("deploy/objects/scripts/send-credentials");
const credentials = { name: "tenant", kubeconfig: "a kubeconfig with a key" };

/** @returns how it ends, and all that it prints */
function send(
  args: string[],
  more: object = {},
  ofNode: readonly string[] = [],
): Promise<{ status: number | null; text: string }> {
  const child = spawn(process.execPath, [...ofNode, ...SCRIPT, ...args]);
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => (text += part.toString()));
  const headers = { authorization: "Bearer hidden" };
  const where = { url: receiver.url, ca: receiver.ca, headers, seconds: 10, ...more };
  child.stdin.end(JSON.stringify({ receiver: where, name: "tenant", credentials }));
  return new Promise((resolve) => child.on("close", (status) => resolve({ status, text })));
}

it("the script posts them, with the headers, and prints nothing", async () => {
  receiver = await Receiver.start();
  expect(await send([])).toEqual({ status: 0, text: "" });
  expect(receiver.received).toEqual([
    { method: "POST", path: "/clusters", authorization: "Bearer hidden", body: credentials },
  ]);
});

it("the script tries again where the server is not well", async () => {
  receiver = await Receiver.start(503, 201);
  expect((await send([])).status).toBe(0);
  expect(receiver.received).toHaveLength(2);
});

it("the script says what the server refuses, at once", async () => {
  receiver = await Receiver.start(403);
  expect(await send([])).toEqual({
    status: 1,
    text: `credentials_receiver: POST to ${new URL(receiver.url).origin}: it answers 403\n`,
  });
});

it("the script sends nothing to a server that another CA has signed", async () => {
  receiver = await Receiver.start();
  const { status, text } = await send([], { ca: undefined });
  expect(status).toBe(1);
  expect(text).toContain("self-signed certificate");
  expect(receiver.received).toEqual([]);
});

it.each([204, 404])(
  "the script takes them back by the cluster's name, where the server answers %s",
  async (answer) => {
    receiver = await Receiver.start(answer);
    expect((await send(["delete"])).status).toBe(0);
    expect(receiver.received).toEqual([
      { method: "DELETE", path: "/clusters/tenant", authorization: "Bearer hidden", body: undefined },
    ]);
  },
);

it("the script does not wait without end for a server that drips", async () => {
  receiver = await Receiver.start("drip");
  expect(await send([], { seconds: 0 }, ["--require", "./test/support/hurry.cjs"])).toEqual({
    status: 1,
    text: `credentials_receiver: POST to ${new URL(receiver.url).origin}: no complete response within 60 s\n`,
  });
});
