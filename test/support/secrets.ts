import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { overSsh, type Connection } from "../../components/remote/ssh-client";
import { mustRun } from "./command";
import { guestPath } from "./lab";
import type { TestStack } from "./stack";

/**
 * Returns a function that finds a cluster's secrets in a text: tokens of vnfm's ServiceAccount and
 * private keys.
 */
export async function clusterSecrets(stack: TestStack): Promise<(text: string) => string[]> {
  const vims =
    await stack.output<Record<string, { access_info: Record<string, string> }>>("vimConnectionInfo");
  const { bearer_token = "", certificate_key = "" } = vims["vnf-a"]?.access_info ?? {};
  expect(bearer_token.length).toBeGreaterThan(100);
  expect(certificate_key).toHaveLength(64);
  const { stdout } = await stack.pulumi("stack", "export", "--show-secrets", "--stack", stack.name);
  const joinTokens = stdout.match(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g) ?? [];
  // a node has a bootstrap token only while it joins
  expect(joinTokens).toEqual([]);
  const secrets = [bearer_token, certificate_key, "PRIVATE KEY-----"];
  return (text) => secrets.filter((secret) => text.includes(secret));
}

/** Reads all logs of a server: its journal as text, and the other files in /var/log, also compressed ones. */
export async function logsOf(serverId: string): Promise<string> {
  const read =
    'journalctl --quiet --all --output cat --directory "$0/journal" && ' +
    // the kubelet may delete logs of pods during the search
    'find "$0" -ignore_readdir_race -path "$0/journal" -prune -o -type f -exec sh -c \'zcat --force "$@" || :\' - {} +';
  const logs = await mustRun("bash", ["-c", read, guestPath(serverId, "var/log")]);
  // a line of the journal and one of a file show that both were read
  expect(logs).toContain("Started kubelet");
  expect(logs).toContain("Cloud-init v.");
  return logs;
}

/** Lists kubeconfigs that the Kubernetes plugin left in the folder for temporary files. */
export function leftKubeconfigs(): string {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith("kubeconfig"));
  return names.map((name) => readFileSync(join(tmpdir(), name), "utf8")).join();
}

/** Returns the exit status of an SSH login with the connection's key; 255 is an error of ssh. */
export async function loginStatus(connection: Connection): Promise<number> {
  const { status } = await overSsh(connection, { command: "true", input: "", seconds: 60 });
  return status;
}

/** Returns the serial number of an API's server certificate. */
export function servedSerial(apiUrl: string): Promise<string> {
  const { hostname, port } = new URL(apiUrl);
  return new Promise((done, fail) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      const { serialNumber } = socket.getPeerCertificate();
      socket.destroy();
      done(serialNumber);
    });
    socket.on("error", fail);
  });
}
