import { spawn } from "node:child_process";
import { connect, createServer, type AddressInfo } from "node:net";
import { until } from "./until";

/** A program that listens on a port of this machine. */
export interface Server {
  /** Ends the program, and waits for its end. */
  stop(): Promise<void>;
}

/**
 * Starts a program and waits until its port answers.
 *
 * @param env variables in addition to the test's environment
 * @param address that it listens on
 * @throws Error with the program's output, after 60 seconds
 */
export async function startServer(
  program: string,
  args: readonly string[],
  port: number,
  env: Readonly<Record<string, string>> = {},
  address = "127.0.0.1",
): Promise<Server> {
  const server = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  server.stderr.on("data", (part: Buffer) => (output += part.toString()));
  const ended = new Promise<void>((done) => server.on("exit", () => done()));
  const stop = async () => {
    server.kill("SIGINT");
    await ended;
  };
  try {
    await until(60, `${program} to answer`, () => answers(port, address));
  } catch (error) {
    await stop();
    throw new Error(`${String(error)}; it said: ${output}`);
  }
  return { stop };
}

/** Returns a port of the loopback on which no program listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

function answers(port: number, address: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, address);
    socket.on("connect", () => done(true)).on("error", () => done(false));
    socket.on("connect", () => socket.destroy());
  });
}
