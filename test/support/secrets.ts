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
  // a node gets one for as long as it joins
  expect(joinTokens).toEqual([]);
  const secrets = [bearer_token, certificate_key, "PRIVATE KEY-----"];
  return (text) => secrets.filter((secret) => text.includes(secret));
}

/** All that a server has logged: its journal as text, and the files beside it, whole ones and packed ones. */
export async function logsOf(serverId: string): Promise<string> {
  const read =
    'journalctl --quiet --all --output cat --directory "$0/journal" && ' +
    // the kubelet removes those of pods that are gone meanwhile
    'find "$0" -ignore_readdir_race -path "$0/journal" -prune -o -type f -exec sh -c \'zcat --force "$@" || :\' - {} +';
  const logs = await mustRun("bash", ["-c", read, guestPath(serverId, "var/log")]);
  // the one is of the journal, the other one of a file
  expect(logs).toContain("Started kubelet");
  expect(logs).toContain("Cloud-init v.");
  return logs;
}

/** The kubeconfigs that the Kubernetes plugin has left in the folder for everybody's temporary files. */
export function leftKubeconfigs(): string {
  const names = readdirSync(tmpdir()).filter((name) => name.startsWith("kubeconfig"));
  return names.map((name) => readFileSync(join(tmpdir(), name), "utf8")).join();
}

/** Returns the exit status of a login with a connection's key; 255 is that of ssh itself. */
export async function loginStatus(connection: Connection): Promise<number> {
  const { status } = await overSsh(connection, { command: "true", input: "", seconds: 60 });
  return status;
}

/** Serial number of the certificate that an API shows. */
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
