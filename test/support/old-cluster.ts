import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { mustRun } from "./command";
import { toolchainPath } from "./management-cluster";
import { freePort, startServer, type Server } from "./server";

/** A cluster of Kubernetes 1.24 without nodes: etcd, kube-apiserver and the controllers. */
export interface OldCluster {
  /** Kubeconfig of a cluster administrator. */
  readonly kubeconfig: string;
  /** Ends the programs, and deletes their data. */
  stop(): Promise<void>;
}

/** Starts the cluster on the loopback of this machine. */
export async function oldCluster(): Promise<OldCluster> {
  await mustRun("toolchain/build.sh", ["kubernetes-api-v1.24", "etcd-v3.5"]);
  const [kubernetes, etcd] = await Promise.all(["kubernetes-api-v1.24", "etcd-v3.5"].map(toolchainPath));
  const folder = mkdtempSync(join(tmpdir(), "vnfm-old-cluster-"));
  const file = (name: string) => join(folder, name);
  const program = (name: string) => join(kubernetes ?? "", name);
  const [etcdPort, peerPort, port, controllersPort] = await freePorts();
  makeCertificate(file("tls.crt"), file("tls.key"));
  const token = randomBytes(16).toString("hex");
  writeFileSync(file("tokens.csv"), `${token},operator,operator,system:masters\n`, { mode: 0o600 });
  const kubeconfig = kubeconfigOf(`https://127.0.0.1:${port}`, readFileSync(file("tls.crt")), token);
  writeFileSync(file("kubeconfig"), kubeconfig, { mode: 0o600 });
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const running: Server[] = [];
  const stop = async () => {
    for (const server of running.toReversed()) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const start = async (path: string, args: readonly string[], serverPort: number) => {
    running.push(await startServer(path, args, serverPort));
  };
  try {
    await start(
      join(etcd ?? "", "etcd"),
      [
        ...["--data-dir", file("etcd"), "--log-level", "error"],
        ...["--listen-client-urls", etcdUrl, "--advertise-client-urls", etcdUrl],
        ...["--listen-peer-urls", `http://127.0.0.1:${peerPort}`],
      ],
      etcdPort,
    );
    await start(
      program("kube-apiserver"),
      [
        ...[`--etcd-servers=${etcdUrl}`, "--bind-address=127.0.0.1", `--secure-port=${port}`],
        ...[`--tls-cert-file=${file("tls.crt")}`, `--tls-private-key-file=${file("tls.key")}`],
        ...[`--token-auth-file=${file("tokens.csv")}`, "--authorization-mode=RBAC"],
        ...["--service-cluster-ip-range=198.18.255.0/24", `--cert-dir=${folder}`],
        ...["--service-account-issuer=https://kubernetes.default.svc"],
        ...[`--service-account-key-file=${file("tls.key")}`],
        `--service-account-signing-key-file=${file("tls.key")}`,
      ],
      port,
    );
    await start(
      program("kube-controller-manager"),
      [
        ...[`--kubeconfig=${file("kubeconfig")}`, "--leader-elect=false", `--cert-dir=${folder}`],
        ...["--bind-address=127.0.0.1", `--secure-port=${controllersPort}`],
        ...[`--service-account-private-key-file=${file("tls.key")}`, `--root-ca-file=${file("tls.crt")}`],
      ],
      controllersPort,
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { kubeconfig, stop };
}

const freePorts = () => Promise.all([freePort(), freePort(), freePort(), freePort()]);

/** Writes a key and a self-signed certificate for the loopback address, which is also the CA. */
function makeCertificate(certificate: string, key: string): void {
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=old-cluster"],
      ...["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
    ],
    { stdio: "ignore" },
  );
}

function kubeconfigOf(server: string, ca: Buffer, token: string): string {
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "old", cluster: { server, "certificate-authority-data": ca.toString("base64") } }],
    users: [{ name: "operator", user: { token } }],
    contexts: [{ name: "old", context: { cluster: "old", user: "operator" } }],
    "current-context": "old",
  });
}
