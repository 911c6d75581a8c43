/** The archive of `vnfm support`: secrets are not in it, and what an operator needs is. */
import { gunzipSync } from "node:zlib";
import { archiveOf } from "../../../automation/support/archive";
import { secretsOfSettings, supportMask, withoutSecretFields } from "../../../automation/support/mask";
import { Secret } from "../../../components/base/secret";
import { outputsIn } from "../../../automation/support/server-logs";
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

const SETTINGS = {
  vnfs: {
    "vnf-a": {
      additionalParams: {
        k8s_cluster_installation_param: {
          apiServer: { encryptionKeys: ["a2V5IG9mIGV0Y2Q="] },
          private_registry_connection_info: [
            { hosting_server: "registry", username: "u", password: "Ab,cd9" },
          ],
        },
      },
    },
    web: { readyTimeout: new Secret("encrypted by hand") },
  },
  clusterTemplates: { kube: { registryLogins: { registry: { username: "u", password: "of a template" } } } },
};

const mask = supportMask(STATE, secretsOfSettings(SETTINGS));

it.each([
  ["the password of a login", "sshd: let me in"],
  ["a line of a private key", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ"],
  ["a password in a script's data", "auth_pass kept4all"],
  ["a key in hex", `--certificate-key ${"9f".repeat(32)}`],
  ["a line of a kubeconfig", "read - a long line of a kubeconfig there"],
  ["a secret text", "with hunter2"],
  ["a key of etcd in the stack config", "- a2V5IG9mIGV0Y2Q="],
  ["a plain password in the stack config", "registry: Ab,cd9"],
  ["an encrypted value of the stack config", "read encrypted by hand"],
  ["a password of a template", "login of a template"],
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
    /let me in|b3Blb|kept4all|9f9f|kubeconfig|hunter2|a2V5|cd9|by hand|a template|BEGIN|eyJ|0123456789|:pass@|topsecret/,
  );
});

it("addresses, users and names, which stand beside a secret, stay", () => {
  const line = "vnf-a-workernode-1 198.19.0.7: session of debian";
  expect(mask(line)).toBe(line);
});

it("a stack config keeps its settings, without what a passphrase could be guessed by, and without plain secrets", () => {
  const config = [
    "# of the site",
    "encryptionsalt: v1:abc:v1:def",
    "config:",
    "  vnfm:vnfs:",
    "    web:",
    "      values:",
    "        dbPassword: Ab,cd9",
    "        replicas: 2",
    "      password:",
    "        secure: v1:xyz",
    "      taints:",
    "        - key: example.com/gpu",
    "",
  ].join("\n");
  const hidden = /v1:abc:v1:def|Ab,cd9|v1:xyz/g;
  expect(withoutSecretFields(config)).toBe(config.replaceAll(hidden, '"[secret]"'));
});

it("an archive has each text below one folder", async () => {
  const archive = gunzipSync(
    await archiveOf(new Map([["servers/a/kubelet.log", "started\n"]]), "vnf-a-support"),
  );
  expect(archive.toString()).toContain("vnf-a-support/servers/a/kubelet.log");
  expect(archive.toString()).toContain("started\n");
});

it("an archive has no text outside of its folder, whatever a server or a cluster calls it", async () => {
  const texts = new Map([["servers/a/../../../../.bashrc", "curl evil"]]);
  await expect(archiveOf(texts, "vnf-a-support")).rejects.toThrow("is not in the archive's folder");
});

it("the logs of a server have only files of the commands, whatever the server prints", () => {
  const stdout =
    "banner\nmark kubelet.log\nstarted\n\nmark ../../.bashrc\ncurl evil\n\nmark containers.txt\nnone\n";
  expect([...outputsIn(stdout, "mark")]).toEqual([
    ["kubelet.log", "started\n"],
    ["containers.txt", "none\n"],
  ]);
});
