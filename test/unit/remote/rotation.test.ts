/** What a rotation runs: the command that makes a key, and the scripts, with a cluster that answers as one would. */
import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { MAKE_KEY, parseKeys } from "../../../components/remote/ssh-keys";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments } from "../../../components/remote/shell";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const at = (path: string) => join(standIns.folder, path);

/** @returns standard output, or what the script said if it failed */
function run(script: string, data: Record<string, string>, verb = "create"): string {
  const input = `${shellAssignments(data)}${scriptText(script)}`
    .replace("PATH=/", `PATH=${standIns.folder}:/`)
    .replaceAll("/run/vnfm", `${standIns.folder}/vnfm`)
    .replaceAll("/etc/kubernetes", standIns.folder)
    .replace("within 120 others", "within 0 others");
  const { status, stdout, stderr } = spawnSync("bash", ["-s", verb], { input, encoding: "utf8" });
  return status === 0 ? stdout : stderr;
}

describe("the command that makes a key", () => {
  const make = (before: string, rotation?: string) =>
    execFileSync("/bin/sh", ["-c", MAKE_KEY], {
      encoding: "utf8",
      env: {
        ...process.env,
        PULUMI_COMMAND_STDOUT: before,
        ...(rotation !== undefined && { VNFM_ROTATION: rotation }),
      },
    }).trimEnd();

  it("puts a new key in front of those before, once for each rotation", () => {
    const first = make("");
    const second = make(first, "vnfm-1");
    const third = make(second, "vnfm-2");
    expect(make(second, "vnfm-1")).toBe(second);
    const [begun, rotated, again] = [first, second, third].map(parseKeys);
    expect(begun).toEqual([
      {
        publicKey: expect.stringMatching(/^ssh-ed25519 [A-Za-z0-9+/]+$/) as string,
        privateKey: expect.stringMatching(/^-----BEGIN [^]*-----END OPENSSH PRIVATE KEY-----\n$/) as string,
      },
    ]);
    expect(rotated?.slice(1)).toEqual(begun);
    expect(again?.slice(1)).toEqual(rotated);
    expect(again?.map(({ publicKey }) => publicKey.split(" ")[2])).toEqual(["vnfm-2", "vnfm-1", undefined]);
  });
});

describe("authorized_keys", () => {
  const [old, present, other] = ["AAAAold+/=", "AAAApresent+/=", "AAAAother"].map(
    (key) => `ssh-ed25519 ${key}`,
  );
  const options = `no-pty,command="echo 'No.'"`;

  const keys = (text: string, login_user = "") => {
    mkdirSync(at(".ssh"), { recursive: true });
    const file = at(".ssh/authorized_keys");
    writeFileSync(file, text);
    const debian = `echo 'debian:x:1000:1000::${standIns.folder}:/bin/bash'`;
    standIns.program("runuser", `echo "$2" >>${standIns.folder}/told; shift 3; exec "$@"`);
    standIns.program("getent", `${debian}; [ $# = 2 ] || echo 'x:x:1:1::/nowhere:/bin/sh'`);
    const said = run("authorized-keys.sh", {
      public_key: `${present} vnfm-1`,
      former: `ssh-ed25519 AAAAolder\n${old} c`,
      login_user,
    });
    return said || readFileSync(file, "utf8");
  };
  const former = `${other}\n${old} c\n${options} ${old}\n# x\n\n# x\n`;

  it("get the present key in the place of a former one, with its options, once", () => {
    const replaced = `${other}\n${present} c\n${options} ${present}\n# x\n\n# x\n`;
    expect(keys(former)).toBe(replaced);
    expect(keys(replaced)).toBe(replaced);
  });

  it("have the present key once where it is beside the former one already", () => {
    expect(keys(`${old}\n${present}\n`)).toBe(`${present}\n`);
  });

  it("are read and written with the rights of the home's owner, wherever a link leads", () => {
    keys(former);
    const owner = userInfo().username;
    expect(standIns.log()).toBe(`${owner}\n${owner}\n`);
  });

  it("must let the login in", () => {
    expect(keys(`${old}\n`, "debian")).toBe(`${present}\n`);
    expect(keys(`${other}\n`, "debian")).toContain("is not in ~debian/.ssh/authorized_keys");
  });
});

describe("the service account", () => {
  const account = (rotation: string, made: string) => {
    standIns.program(
      "kubectl",
      `case "$*" in
        *annotations*) printf '${made}' ;;
        *data.token*) printf dG9rZW4= ;;
        *"-o name") ;;
        *apply*) cat >/dev/null; echo apply >>${standIns.folder}/told ;;
        *) echo "$*" >>${standIns.folder}/told ;;
      esac`,
    );
    const data = { namespace: "n", service_account: "a", secret: "s", access_manifest: "m", rotation };
    return [run("service-account.sh", data), standIns.log()];
  };

  it("is made anew by a rotation that it is not of", () => {
    expect(account("2", "1")).toEqual([
      "token",
      "-n n delete serviceaccount a --ignore-not-found\napply\n-n n annotate --overwrite serviceaccount a vnfm/rotation=2\n",
    ]);
  });

  it.each([
    ["", ""],
    ["", "1"],
    ["1", "1"],
  ])("stays with rotation %j where it is of %j", (rotation, made) => {
    expect(account(rotation, made)).toEqual(["token", ""]);
  });
});

/** A certificate that ends after so many days, and when that is. */
function certificate(days: number) {
  const command = `req -x509 -newkey ed25519 -noenc -keyout /dev/null -subj /CN=c -days ${days}`.split(" ");
  const pem = execFileSync("openssl", command, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return { pem, end: new Date(new X509Certificate(pem).validTo).toISOString().replace(".000", "") };
}

describe("the certificates of a master", () => {
  const MANIFESTS = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"];

  const [short, middle, long] = [300, 365, 3650].map(certificate);
  const asKubeconfig = ({ pem = "" } = {}) =>
    `users:\n- name: u\n  user:\n    client-certificate-data: ${Buffer.from(pem).toString("base64")}\n    client-key-data: a2V5\n`;

  /** Puts kubeadm's files into the folder: all of a year but for the given ones. */
  const files = (others: Readonly<Record<string, string | undefined>> = {}) => {
    mkdirSync(at("pki/etcd"), { recursive: true });
    const year = ["apiserver", "apiserver-kubelet-client", "front-proxy-client", "etcd/server", "etcd/peer"];
    const all: Readonly<Record<string, string | undefined>> = {
      ...Object.fromEntries(year.map((name) => [`pki/${name}.crt`, middle?.pem])),
      ...Object.fromEntries(
        ["ca", "front-proxy-ca", "etcd/ca"].map((name) => [`pki/${name}.crt`, long?.pem]),
      ),
      "admin.conf": asKubeconfig(middle),
      // of others, and nothing that kubeadm renews
      "pki/webhook.crt": short?.pem,
      "kubelet.conf": asKubeconfig(short),
      ...others,
    };
    for (const [name, text] of Object.entries(all)) if (text !== undefined) writeFileSync(at(name), text);
  };
  const ends = (expiresAt = middle?.end, caExpiresAt = long?.end) => ({ expiresAt, caExpiresAt });

  it.each<[string, () => readonly [Readonly<Record<string, string | undefined>>, object]]>([
    ["those that are there", () => [{}, ends()]],
    ["of the API server", () => [{ "pki/apiserver.crt": short?.pem }, ends(short?.end)]],
    ["of etcd", () => [{ "pki/etcd/healthcheck-client.crt": short?.pem }, ends(short?.end)]],
    ["of a kubeconfig", () => [{ "scheduler.conf": asKubeconfig(short) }, ends(short?.end)]],
    ["of a CA", () => [{ "pki/front-proxy-ca.crt": short?.pem }, ends(middle?.end, short?.end)]],
  ])("end with the first of them: %s", (_, made) => {
    const [others, expected] = made();
    files(others);
    for (const verb of ["expiry", "create"])
      expect(JSON.parse(run("certificates.sh", { node_name: "m1", rotation: "" }, verb))).toEqual(expected);
  });

  it("fail where one of them cannot be read, in place of another end", () => {
    files({ "pki/etcd/peer.crt": "torn" });
    expect(run("certificates.sh", { node_name: "m1", rotation: "" }, "expiry")).toMatch(/certificate/i);
  });

  /** @param known "since rotation" of the cluster */
  const renew = (known: string, otherReady = "True") => {
    files();
    mkdirSync(at("manifests"), { recursive: true });
    for (const name of MANIFESTS) writeFileSync(at(`manifests/${name}.yaml`), "kind: Pod\n", { flag: "a" });
    writeFileSync(at("vnfm-complete"), "");
    standIns.program("kubeadm", `echo "kubeadm $*" >>${standIns.folder}/told`);
    standIns.program(
      "kubectl",
      `case "$*" in
        *"get configmap"*) printf '${known}' ;;
        *"create configmap"*) echo configmap >>${standIns.folder}/told ;;
        *apply*) cat >/dev/null ;;
        *"get nodes"*) printf 'm1 False\\nm17 ${otherReady}\\n' ;;
        *"annotate --local"*) for last; do [[ $last != vnfm/certificates=* ]] || value=\${last#*=}; done
          echo "$value" >${standIns.folder}/value; printf 'kind: Pod\\n  vnfm/certificates: "%s"\\n' "$value"
          echo "restart $*" | sed 's|.*manifests/|restart |; s|[.]yaml.*||' >>${standIns.folder}/told ;;
        *"get pod "*) printf '%s True' "$(cat ${standIns.folder}/value)" ;;
      esac`,
    );
    const data = { node_name: "m1", rotation: "r 2" };
    const text = run("certificates.sh", data);
    return text.startsWith("{") ? standIns.log().trim().split("\n").filter(Boolean) : text;
  };
  const restarts = MANIFESTS.map((name) => `restart ${name}`);
  const later = "2999-01-01T00:00:00Z";

  it("are renewed, and read by the control plane, where they are older than the rotation", () => {
    expect(renew(`${later} r 2`)).toEqual(["kubeadm certs renew all", ...restarts]);
    expect(renew(`${later} r 2`)).toEqual(["kubeadm certs renew all", ...restarts]);
  });

  it("stay where the master has joined since", () => {
    expect(renew("2001-01-01T00:00:00Z r 2")).toEqual([]);
  });

  it("stay where another master is not Ready, as etcd would lose its majority", () => {
    expect(renew(`${later} r 2`, "Unknown")).toContain("another control-plane node is not Ready");
    expect(standIns.log()).toBe("");
  });
});
