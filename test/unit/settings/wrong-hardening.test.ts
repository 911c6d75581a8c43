import { INSTALLATION as K, refuseContradictions, refuseSettings, type Contradiction } from "./support";

const KEY = Buffer.from("k".repeat(32)).toString("base64");
const ARGS = `${K}.kubeadm.cluster_configuration.apiServer.extraArgs`;
const TOKEN = "vnf-a.rotate.encryption_key";
const OF_A_MADE_KEY =
  `${TOKEN}: is for a key that the program makes, which it does with hardening where apiServer.encryptionKeys are none; ` +
  "leave it out, or change that list in its place";

refuseSettings("the API server", K, [
  ["hardening", "stig", '"stig" is not one of cis'],
  ["apiServer.auditPolicy", {}, "is required", ".rules"],
  ["apiServer.auditPolicy.rules", [], "is empty; give a value or leave it out"],
  ["apiServer.admissionConfiguration", {}, "is required", ".plugins"],
  ["apiServer.admissionConfiguration.plugins", [{}], "is required", "[0].name"],
  [
    "apiServer.admissionConfiguration.plugins",
    [{ name: "a", configuration: { kind: "A" } }],
    "is required",
    "[0].configuration.apiVersion",
  ],
  ["apiServer.encryptionKeys", [], "is empty; give a value or leave it out"],
  ["apiServer.encryptionKeys", ["c2hvcnQ="], "the secret must match ^[A-Za-z0-9+/]{43}=$", "[0]"],
]);

const COMBINATIONS: readonly Contradiction[] = [
  [
    "hardening of a version that nobody says",
    { [`${K}.hardening`]: "cis" },
    `${K}.hardening: cis needs kubernetes_version of v1.32.0 or newer, and there is none; set it, or leave hardening out`,
  ],
  [
    "hardening of an old version",
    { [`${K}.hardening`]: "cis", [`${K}.kubernetes_version`]: "v1.31.4" },
    `${K}.hardening: cis needs kubernetes_version of v1.32.0 or newer, and it is v1.31.4; set it, or leave hardening out`,
  ],
  [
    "an audit policy twice",
    {
      [`${K}.apiServer.auditPolicy`]: { rules: [{ level: "Metadata" }] },
      [ARGS]: [{ name: "audit-policy-file", value: "/a" }],
    },
    `${ARGS}: has audit-policy-file, which is for apiServer.auditPolicy to say; leave it out`,
  ],
  ["the rotation of a key that there is not", { [TOKEN]: "1" }, OF_A_MADE_KEY],
  [
    "the rotation of a key of the stack config",
    { [TOKEN]: "1", [`${K}.apiServer.encryptionKeys`]: [KEY] },
    OF_A_MADE_KEY,
  ],
];

refuseContradictions(COMBINATIONS);
