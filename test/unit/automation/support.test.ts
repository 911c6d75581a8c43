/** The archive of `vnfm support`: secrets are not in it, and what an operator needs is. */
import { gunzipSync } from "node:zlib";
import { archiveOf } from "../../../automation/support/archive";
import { supportMask, withoutCiphertexts } from "../../../automation/support/mask";
import { SECRET, type State } from "../../../automation/stack/state";

const secret = (value: unknown) => ({
  [SECRET]: "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});

const KEY = [
  "-----BEGIN OPENSSH PRIVATE KEY-----",
  "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ",
  "-----END OPENSSH PRIVATE KEY-----",
].join("\n");

const REACH = {
  reach: { hosts: [{ host: "198.19.0.7" }], login: { user: "debian", password: "let me in", keys: [KEY] } },
  data: { node_name: "vnf-a-workernode-1", vrrp_password: "kept4all", certificate_key: "9f".repeat(32) },
};

const STATE = {
  deployment: {
    resources: [
      { urn: "urn:a", type: "command", custom: true, inputs: { stdin: secret(JSON.stringify(REACH)) } },
      {
        urn: "urn:b",
        type: "stack",
        custom: false,
        outputs: { kubeconfigs: secret({ "vnf-a": "users:\n- a long line of a kubeconfig" }) },
      },
      { urn: "urn:c", type: "stash", custom: true, outputs: { value: secret("hunter2") } },
    ],
  },
} as unknown as State;

const mask = supportMask(STATE);

it.each([
  ["the password of a login", "sshd: let me in"],
  ["a line of a private key", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ"],
  ["a password in a script's data", "auth_pass kept4all"],
  ["a key in hex", `--certificate-key ${"9f".repeat(32)}`],
  ["a line of a kubeconfig", "read - a long line of a kubeconfig there"],
  ["a secret text", "with hunter2"],
  [
    "a private key that is in no state",
    "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
  ],
  ["a JSON Web Token", "Bearer eyJhbGciOiJSUzI1NiIs.eyJpc3MiOiJrdWJlcm5l.c2lnbmF0dXJl"],
  ["a bootstrap token", "join --token abcdef.0123456789abcdef"],
  ["a login in a URL", "proxy http://site:pass@proxy:3128/"],
  ["a value after password=", "db password=topsecret"],
  ["a value after a quoted token", '{"token": "topsecret"}'],
])("%s is hidden", (_, line) => {
  const shown = mask(line);
  expect(shown).toContain("[secret]");
  expect(shown).not.toMatch(
    /let me in|b3Blb|kept4all|9f9f|kubeconfig|hunter2|BEGIN|eyJ|0123456789|:pass@|topsecret/,
  );
});

it("addresses, users and names, which stand beside a secret, stay", () => {
  const line = "vnf-a-workernode-1 198.19.0.7: session of debian";
  expect(mask(line)).toBe(line);
});

it("a stack config keeps its settings, without what a passphrase could be guessed by", () => {
  const config =
    "encryptionsalt: v1:abc:v1:def\nconfig:\n  vnfm:vnfs:\n    password:\n      secure: v1:xyz\n";
  expect(withoutCiphertexts(config)).toBe(
    "encryptionsalt: [secret]\nconfig:\n  vnfm:vnfs:\n    password:\n      secure: [secret]\n",
  );
});

it("an archive has each text below one folder", async () => {
  const archive = gunzipSync(
    await archiveOf(new Map([["servers/a/kubelet.log", "started\n"]]), "vnf-a-support"),
  );
  expect(archive.toString()).toContain("vnf-a-support/servers/a/kubelet.log");
  expect(archive.toString()).toContain("started\n");
});
