import { cloudConf, cloudsYaml } from "../../../components/render/cloud-config";

const credential = {
  authUrl: "https://cloud.example:5000/v3",
  region: "one",
  id: "0123",
  secret: 'a "quoted" \\ secret',
  ca: "-----BEGIN CERTIFICATE-----",
};

test("clouds.yaml of an application credential", () => {
  expect(cloudsYaml(credential)).toBe(`clouds:
  openstack:
    auth_type: v3applicationcredential
    auth:
      auth_url: https://cloud.example:5000/v3
      application_credential_id: "0123"
      application_credential_secret: a "quoted" \\ secret
    interface: public
    identity_api_version: 3
    region_name: one
`);
});

test("cloud.conf of an application credential, with values that are quoted", () => {
  expect(cloudConf(credential, { balancerProvider: "ovn", floatingNetworkId: "0a1b" })).toBe(`[Global]
auth-url="https://cloud.example:5000/v3"
application-credential-id="0123"
application-credential-secret="a \\"quoted\\" \\\\ secret"
region="one"
ca-file="/etc/config/cacert"

[LoadBalancer]
lb-provider="ovn"
floating-network-id="0a1b"
lb-method="SOURCE_IP_PORT"
manage-security-groups="true"
`);
});

test("cloud.conf with what Cinder's CSI driver is told of zones", () => {
  const blockStorage = { "ignore-volume-az": true, "node-volume-attach-limit": 24 };
  expect(cloudConf(credential, { blockStorage })).toMatch(
    /\n\n\[BlockStorage\]\nignore-volume-az="true"\nnode-volume-attach-limit="24"\n$/,
  );
});

test("cloud.conf with the block of the addresses that nodes are known by", () => {
  expect(cloudConf(credential, { nodeCidr: "10.6.0.0/24" })).toMatch(
    /\n\n\[Networking\]\naddress-sort-order="10\.6\.0\.0\/24"\n$/,
  );
});

test("cloud.conf without what is not known", () => {
  const { authUrl, id } = credential;
  expect(cloudConf({ authUrl, id, secret: "s", region: undefined, ca: undefined }, {})).toBe(`[Global]
auth-url="https://cloud.example:5000/v3"
application-credential-id="0123"
application-credential-secret="s"

[LoadBalancer]
manage-security-groups="true"
`);
});
