import { INSTALLATION as K, refuseContradictions, refuseSettings, type Contradiction } from "./support";

const KEY = Buffer.from("k".repeat(32)).toString("base64");
const ARGS = `${K}.kubeadm.cluster_configuration.apiServer.extraArgs`;
const TOKEN = "vnf-a.rotate.encryption_key";
const OF_A_MADE_KEY =
  `${TOKEN}: is for a key that vnfm generates, which it does with hardening if apiServer.encryptionKeys is not set; ` +
  "remove it, or change that list instead";

refuseSettings("the API server", K, [
  ["hardening", "stig", '"stig" is not one of cis'],
  ["apiServer.auditPolicy", {}, "is required", ".rules"],
  ["apiServer.auditPolicy.rules", [], "is empty; set a value or remove it"],
  ["apiServer.admissionConfiguration", {}, "is required", ".plugins"],
  ["apiServer.admissionConfiguration.plugins", [{}], "is required", "[0].name"],
  [
    "apiServer.admissionConfiguration.plugins",
    [{ name: "a", configuration: { kind: "A" } }],
    "is required",
    "[0].configuration.apiVersion",
  ],
  ["apiServer.encryptionKeys", [], "is empty; set a value or remove it"],
  ["apiServer.encryptionKeys", ["c2hvcnQ="], "the secret must match ^[A-Za-z0-9+/]{43}=$", "[0]"],
]);

const COMBINATIONS: readonly Contradiction[] = [
  [
    "hardening of a version that nobody says",
    { [`${K}.hardening`]: "cis" },
    `${K}.hardening: cis requires kubernetes_version v1.32.0 or newer, and it is not set; set it, or remove hardening`,
  ],
  [
    "hardening of an old version",
    { [`${K}.hardening`]: "cis", [`${K}.kubernetes_version`]: "v1.31.4" },
    `${K}.hardening: cis requires kubernetes_version v1.32.0 or newer, and it is v1.31.4; set it, or remove hardening`,
  ],
  [
    "an audit policy twice",
    {
      [`${K}.apiServer.auditPolicy`]: { rules: [{ level: "Metadata" }] },
      [ARGS]: [{ name: "audit-policy-file", value: "/a" }],
    },
    `${ARGS}: has audit-policy-file, which apiServer.auditPolicy sets; remove it`,
  ],
  ["the rotation of a key that there is not", { [TOKEN]: "1" }, OF_A_MADE_KEY],
  [
    "the rotation of a key of the stack config",
    { [TOKEN]: "1", [`${K}.apiServer.encryptionKeys`]: [KEY] },
    OF_A_MADE_KEY,
  ],
];

refuseContradictions(COMBINATIONS);
