import { INSTALLATION, refuseContradictions, refuseSettings, validConfig, configWith } from "./support";

// another one each time, as tests change it
const chart = () => ({ repository: "https://charts.example", version: "2.34.0", digest: "0".repeat(64) });
const CCM = "openstack-cloud-controller-manager";
const EMPTY = "is empty; set a value or remove it";
const OF_PROVIDER = "is for a cluster with cloud_provider; remove it";

const withProvider = () =>
  configWith({
    [`${INSTALLATION}.cloud_provider`]: "openstack",
    [`${INSTALLATION}.addons`]: { [CCM]: chart() },
  });

refuseSettings(
  "a cluster with a cloud provider",
  INSTALLATION,
  [
    ["cloud_provider", "aws", '"aws" is not one of openstack'],
    ["cloud_provider", true, "true is not one of openstack"],
    [
      "addons",
      undefined,
      "is required with cloud_provider: nodes accept no pods until a cloud controller manager runs; add openstack-cloud-controller-manager",
    ],
    ["addons", { "openstack-cinder-csi": chart() }, "is required", `.${CCM}`],
    [
      "addons.flannel",
      chart(),
      "unknown setting; allowed: openstack-cloud-controller-manager, openstack-cinder-csi",
    ],
    ["credential", {}, EMPTY],
    ["block_storage", {}, EMPTY],
    ["block_storage", { "ignore-volume-az": "true" }, '"true" must be boolean', ".ignore-volume-az"],
    ["credential.roles", [], EMPTY],
    [
      "credential.expiresAt",
      "2027-01-31",
      '"2027-01-31" is not a time; write one of UTC, as in 2027-01-31T00:00:00Z',
    ],
    [
      "credential.expiresAt",
      "2027-02-31T00:00:00Z",
      '"2027-02-31T00:00:00Z" is not a time; write one of UTC, as in 2027-01-31T00:00:00Z',
    ],
    ["credential.accessRules", [{ service: "network", method: "GET" }], "is required", "[0].path"],
    ["credential.rotate", "1", "unknown setting; allowed: roles, expiresAt, accessRules"],
    [`addons.${CCM}.digest`, undefined, "is required"],
    [
      `addons.${CCM}.version`,
      "latest",
      '"latest" must match ^v?\\d+\\.\\d+\\.\\d+([-+][\\w.+-]+)?$, as in 2.34.0',
    ],
  ],
  withProvider,
);

describe("what is of a cloud provider", () => {
  refuseContradictions(
    [
      [
        "where there is none, all of it at once",
        {
          [`${INSTALLATION}.addons`]: { [CCM]: chart() },
          [`${INSTALLATION}.load_balancer`]: { provider: "ovn" },
          [`${INSTALLATION}.credential`]: { roles: ["member"] },
          "vnf-a.rotate": { credential: "1" },
        },
        `${INSTALLATION}.addons: is for a cluster with cloud_provider; set that to openstack, or remove addons`,
        `${INSTALLATION}.credential: ${OF_PROVIDER}`,
        `vnf-a.rotate.credential: ${OF_PROVIDER}`,
        `${INSTALLATION}.load_balancer.provider: is for Octavia, and masterNode_CP1 is not a VipCp with the function load_balance; remove it`,
      ],
    ],
    validConfig,
  );
});
