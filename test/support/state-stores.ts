import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun } from "./command";
import { toolchainPath } from "./management-cluster";
import { freePort, startServer, type Server } from "./server";

/** A server on this machine that stores the states of stacks. */
export interface StateStore {
  /** Environment with which the CLI uses this server as its backend. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the server, and deletes its data. */
  stop(): Promise<void>;
}

/** Password of each server. */
export const SECRET = "of a store that lives as long as its test";

/** Installs Debian's PostgreSQL, as the lab installs packages, without a started service, and starts a server. */
export async function postgres(): Promise<StateStore> {
  const install =
    ". lab/lib/env.sh && . lab/lib/packages.sh && DEBIAN_HOST_PACKAGES=postgresql install_debian_packages";
  await mustRun("bash", ["-euc", install]);
  const [version = ""] = readdirSync("/usr/lib/postgresql");
  const programs = join("/usr/lib/postgresql", version, "bin");
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (id) => Number(await mustRun("id", [id, "postgres"]))),
  );
  const folder = mkdtempSync(join(tmpdir(), "vnfm-postgres-"));
  const password = join(folder, "password");
  writeFileSync(password, SECRET);
  for (const path of [folder, password]) chownSync(path, uid ?? 0, gid ?? 0);
  const data = join(folder, "data");
  const asPostgres = ["--reuid=postgres", "--regid=postgres", "--clear-groups"];
  await mustRun("setpriv", [
    ...[...asPostgres, join(programs, "initdb"), `--pgdata=${data}`, "--username=vnfm"],
    ...["--auth=scram-sha-256", `--pwfile=${password}`],
  ]);
  const port = await freePort();
  const settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  const program = [join(programs, "postgres"), "-D", data, "-p", String(port), ...settings];
  const server = await startServer("setpriv", [...asPostgres, ...program], port);
  const user = `vnfm:${encodeURIComponent(SECRET)}`;
  return {
    env: { PULUMI_BACKEND_URL: `postgres://${user}@127.0.0.1:${port}/postgres?sslmode=disable` },
    stop: () => stopAndDelete(server, folder),
  };
}

/** An S3 server on this machine, with one bucket. */
export interface S3Server extends StateStore {
  readonly endpoint: string;
  /** Folder with the objects of the bucket `states`. */
  readonly folder: string;
}

/** User of the S3 server. */
export const S3_USER = "vnfm";

/** Starts an S3 server on a folder: Versity's gateway. @param address that it listens on */
export async function s3(address = "127.0.0.1"): Promise<S3Server> {
  await mustRun("toolchain/build.sh", ["versitygw"]);
  const data = mkdtempSync(join(tmpdir(), "vnfm-s3-"));
  const folder = join(data, "states");
  mkdirSync(folder);
  const port = await freePort();
  const program = join(await toolchainPath("versitygw"), "versitygw");
  const keys = { ROOT_ACCESS_KEY: S3_USER, ROOT_SECRET_KEY: SECRET };
  const server = await startServer(
    program,
    ["--port", `${address}:${port}`, "posix", data],
    port,
    keys,
    address,
  );
  const endpoint = `http://${address}:${port}`;
  return {
    ...{ endpoint, folder },
    env: {
      PULUMI_BACKEND_URL: `s3://states?endpoint=${endpoint}&use_path_style=true&region=us-east-1`,
      AWS_ACCESS_KEY_ID: keys.ROOT_ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: keys.ROOT_SECRET_KEY,
    },
    stop: () => stopAndDelete(server, data),
  };
}

async function stopAndDelete(server: Server, folder: string): Promise<void> {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
