import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cloudAccess } from "../../../components/openstack/clouds";

const folder = mkdtempSync(join(tmpdir(), "vnfm-clouds-"));
const file = join(folder, "clouds.yaml");

beforeAll(() => {
  const auth = "{auth_url: https://keystone/v3, username: u, project_name: p}";
  writeFileSync(
    file,
    `clouds: {site: {auth: ${auth}, region_name: One, endpoint_type: internal}, bare: {}}\n`,
  );
  writeFileSync(join(folder, "secure.yaml"), "clouds: {site: {auth: {password: hidden}}}\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

const ofSite = {
  auth_url: "https://keystone/v3",
  username: "u",
  password: "hidden",
  project_name: "p",
  region_name: "One",
  source: `cloud site of ${file}`,
};

it("takes the cloud of clouds.yaml that the stack config names, with its secure.yaml", () => {
  const env = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: "other" };
  expect(cloudAccess({ "openstack:cloud": "site" }, env)).toEqual(ofSite);
});

it("takes the cloud of OS_CLOUD", () => {
  expect(cloudAccess({}, { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: "site" })).toEqual(ofSite);
});

it("puts the stack config before the file, and the file before the environment", () => {
  const env = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: "site", OS_USERNAME: "env", OS_PROJECT_ID: "env" };
  expect(cloudAccess({ "openstack:region": "Two" }, env)).toEqual({
    ...ofSite,
    region_name: "Two",
    project_id: "env",
  });
});

it("takes the region that the environment has before that of the file", () => {
  const env = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: "site", OS_REGION_NAME: "Two" };
  expect(cloudAccess({}, env)).toEqual({ ...ofSite, region_name: "Two" });
  expect(cloudAccess({ "openstack:region": "Three" }, env)).toEqual({ ...ofSite, region_name: "Three" });
});

it("takes the type of endpoint from all but the file, as the provider does", () => {
  const env = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: "site", OS_ENDPOINT_TYPE: "admin" };
  expect(cloudAccess({}, env)).toEqual({ ...ofSite, endpoint_type: "admin" });
});

it("does without a file where variables say it all", () => {
  const env = {
    OS_AUTH_URL: "https://keystone",
    OS_APPLICATION_CREDENTIAL_ID: "i",
    OS_APPLICATION_CREDENTIAL_SECRET: "s",
  };
  expect(cloudAccess({}, env)).toEqual({
    auth_url: "https://keystone",
    application_credential_id: "i",
    application_credential_secret: "s",
    source: "the stack config and the OS_* variables",
  });
});

it.each([
  ["nothing is set", {}, {}, /no cloud is set: set openstack:cloud/],
  [
    "the cloud is unknown",
    { "openstack:cloud": "x" },
    { OS_CLIENT_CONFIG_FILE: file },
    /x is not in .*clouds/,
  ],
  [
    "the cloud has no URL",
    { "openstack:cloud": "bare" },
    { OS_CLIENT_CONFIG_FILE: file },
    /no auth.auth_url/,
  ],
])("says so when %s", (_, config, env, message) => {
  expect(() => cloudAccess(config, env)).toThrow(message);
});
