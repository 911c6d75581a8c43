import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "../../../components/base/fault";
import { certificatesOf, cloudAccess, namedCloudAccess } from "../../../components/openstack/clouds";

jest.mock("node:os", () => ({ ...jest.requireActual<object>("node:os"), homedir: jest.fn() }));

const folder = mkdtempSync(join(tmpdir(), "vnfm-clouds-"));
const home = join(folder, "home");
const config = join(home, ".config/openstack");
const file = join(folder, "clouds.yaml");
const env = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: "site" };

const AUTH = "{auth_url: https://keystone/v3, username: u, project_name: p}";

/** The file that OS_CLIENT_CONFIG_FILE names. */
const write = (text: string): void => writeFileSync(file, text);

beforeAll(() => {
  mkdirSync(config, { recursive: true });
});

beforeEach(() => {
  jest.mocked(homedir).mockReturnValue(home);
  write(
    `clouds: {site: {auth: ${AUTH}, region_name: One, endpoint_type: internal, interface: internal}, bare: {}}\n`,
  );
  writeFileSync(join(config, "secure.yaml"), "clouds: {site: {auth: {password: hidden}}}\n");
  writeFileSync(join(config, "clouds-public.yaml"), "public-clouds: {}\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

/** What is thrown, which must be a fault. */
function faultOf(env_: NodeJS.ProcessEnv = env, settings: Readonly<Record<string, string>> = {}): string {
  try {
    cloudAccess(settings, env_);
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

const ofSite = {
  auth_url: "https://keystone/v3",
  username: "u",
  password: "hidden",
  project_name: "p",
  region_name: "One",
  source: `cloud site of ${file}`,
};

it("vnfm takes the cloud of clouds.yaml that the stack config names, with secure.yaml of the user", () => {
  expect(cloudAccess({ "openstack:cloud": "site" }, { ...env, OS_CLOUD: "other" })).toEqual(ofSite);
});

describe("a cloud next to that of the stack", () => {
  it.each([
    ["without other variables", {}],
    ["with variables that are equal", { OS_REGION_NAME: "One", OS_USERNAME: "u" }],
  ])("is the one of the file, %s", (_, variables) => {
    expect(namedCloudAccess({ cloud: "site" }, { ...env, OS_CLOUD: "other", ...variables })).toEqual(ofSite);
  });

  it("has the region of its provider", () => {
    expect(namedCloudAccess({ cloud: "site", region: "Two" }, env)).toEqual({
      ...ofSite,
      region_name: "Two",
    });
  });

  it.each([
    ["OS_REGION_NAME", "Two"],
    ["OS_PROJECT_ID", "of-the-stack"],
    ["OS_CACERT", "ca.pem"],
    ["OS_APPLICATION_CREDENTIAL_ID", "of-the-stack"],
  ])("is refused with %s of another cloud", (variable, value) => {
    expect(() => namedCloudAccess({ cloud: "site" }, { ...env, [variable]: value })).toThrow(
      `${variable} of the environment would change the login or the region of the cloud site: unset what is not the ` +
        "same for all clouds, and set the cloud of the stack by openstack:cloud or OS_CLOUD",
    );
  });

  it("takes no login from the variables", () => {
    expect(() => namedCloudAccess({ cloud: "bare" }, { ...env, OS_AUTH_URL: "https://other/v3" })).toThrow(
      `cloud bare of ${file} has no auth.auth_url`,
    );
  });
});

it("vnfm takes the files that are beside the project, wherever this process is", () => {
  const [project, ca] = [join(folder, "project"), "certificates/ca.pem"];
  mkdirSync(project);
  writeFileSync(join(project, "clouds.yaml"), `clouds: {site: {auth: ${AUTH}, cacert: ${ca}}}\n`);
  const found = (variables: NodeJS.ProcessEnv) =>
    cloudAccess({}, { OS_CLOUD: "site", ...variables }, project);
  expect(found({})).toMatchObject({
    source: `cloud site of ${project}/clouds.yaml`,
    cacert: `${project}/${ca}`,
  });
  expect(found({ OS_CLIENT_CONFIG_FILE: "../clouds.yaml" }).source).toBe(`cloud site of ${file}`);
});

it("vnfm takes the cloud of OS_CLOUD", () => {
  expect(cloudAccess({}, env)).toEqual(ofSite);
});

it("vnfm takes from the environment what the file has not, and the login of no other", () => {
  expect(cloudAccess({}, { ...env, OS_USERNAME: "env", OS_TENANT_ID: "old", OS_PROJECT_ID: "env" })).toEqual({
    ...ofSite,
    project_id: "env",
  });
});

it("vnfm takes the region of the stack config, then of the environment, then of the file", () => {
  expect(cloudAccess({}, { ...env, OS_REGION_NAME: "Two" })).toEqual({ ...ofSite, region_name: "Two" });
  const settings = { "openstack:region": "Three" };
  expect(cloudAccess(settings, { ...env, OS_REGION_NAME: "Two" })).toEqual({
    ...ofSite,
    region_name: "Three",
  });
});

it("vnfm takes the type of endpoint from all but the file, as the provider does", () => {
  expect(cloudAccess({}, { ...env, OS_ENDPOINT_TYPE: "admin" })).toEqual({
    ...ofSite,
    endpoint_type: "admin",
  });
});

it("vnfm does without a file where variables say it all, the older ones first", () => {
  const variables = {
    OS_AUTH_URL: "https://keystone",
    OS_TENANT_ID: "old",
    OS_PROJECT_ID: "new",
    OS_PASSWORD: "s",
  };
  expect(cloudAccess({}, variables)).toEqual({
    auth_url: "https://keystone",
    project_id: "old",
    password: "s",
    default_domain: "default",
    source: "the stack config and the OS_* variables",
  });
});

it("vnfm keeps numbers, booleans and dates as they are written", () => {
  write(`clouds:
  site:
    region_name: 010
    identity_api_version: 3
    auth: {auth_url: https://keystone/v3, username: 0x1F, password: 00123, project_id: 1234567e12, user_domain_id: yes,
      project_domain_id: 2020-01-01, domain_name: ~, token: null}
`);
  rmSync(join(config, "secure.yaml"));
  expect(cloudAccess({}, env)).toEqual({
    auth_url: "https://keystone/v3",
    username: "0x1F",
    password: "00123",
    project_id: "1234567e12",
    user_domain_id: "yes",
    project_domain_id: "2020-01-01",
    region_name: "010",
    source: ofSite.source,
  });
});

it("vnfm follows merge keys", () => {
  write(`base: &base {auth_url: https://keystone/v3, username: other, project_name: p}
clouds: {site: {auth: {<<: *base, username: u}, region_name: One}}
`);
  expect(cloudAccess({}, env)).toEqual(ofSite);
});

it.each(["~", "{}", "", "{auth: ~}"])("vnfm takes an empty cloud, %j, from the environment", (cloud) => {
  write(`clouds:\n  bare: ${cloud}\n`);
  const bare = { OS_CLIENT_CONFIG_FILE: file, OS_CLOUD: "bare" };
  expect(cloudAccess({}, { ...bare, OS_AUTH_URL: "https://k", OS_USERNAME: "u" })).toEqual({
    auth_url: "https://k",
    username: "u",
    source: `cloud bare of ${file}`,
  });
  expect(faultOf(bare)).toBe(`cloud bare of ${file} has no auth.auth_url`);
});

it("vnfm fills in the profile of clouds-public.yaml, below what the cloud has", () => {
  write("clouds: {site: {profile: shop, auth: {username: u, project_name: p}}}\n");
  const shop = "{auth: {auth_url: https://keystone/v3, username: nobody}, region_name: One, verify: no}";
  writeFileSync(join(config, "clouds-public.yaml"), `public-clouds: {shop: ${shop}}\n`);
  expect(cloudAccess({}, env)).toEqual({ ...ofSite, verify: "no" });
});

it("vnfm takes what a cloud sets otherwise for the region that is asked for", () => {
  const regions = "[One, {name: Two, values: {auth: {project_name: q}, cacert: /two.pem}}]";
  write(`clouds: {site: {auth: ${AUTH}, region_name: One, regions: ${regions}}}\n`);
  expect(cloudAccess({}, env)).toEqual(ofSite);
  expect(cloudAccess({ "openstack:region": "Two" }, env)).toEqual({
    ...ofSite,
    ...{ region_name: "Two", project_name: "q", cacert: "/two.pem" },
  });
});

describe("says so when", () => {
  const notRead = (path: string) => `${path} is not valid for the OpenStack provider:\n  `;

  it("nothing is set", () => {
    expect(faultOf({})).toBe(
      "no cloud is set: set openstack:cloud in the stack config, or OS_CLOUD, or OS_AUTH_URL with its user",
    );
  });

  it("the cloud is unknown", () => {
    expect(faultOf({ ...env, OS_CLOUD: "sites" })).toBe(
      `cloud sites is not in ${file}; one of bare, site; did you mean "site"?`,
    );
  });

  it.each<[string, string, string]>([
    ["is a list", "- a\n", "it is a list, and no map"],
    ["is a text", "hunter2\n", "it is a text, and no map"],
    ["has a list of clouds", "clouds: [hunter2]\n", "clouds: is a list, and no map"],
    ["has a text for clouds", "clouds: hunter2\n", "clouds: is a text, and no map"],
    ["has a cloud that is a text", "clouds: {site: hunter2}\n", "clouds.site: is a text, and no map"],
    [
      "has a login that is a text",
      "clouds: {site: {auth: hunter2}}\n",
      "clouds.site.auth: is a text, and no map",
    ],
    [
      "has maps for texts in another cloud",
      "clouds: {site: {}, b: {verify: hunter2, regions: hunter2, auth: {password: {hunter2: 1}, username: [hunter2]}}}\n",
      "clouds.b.verify: is neither true nor false\n  clouds.b.regions: is not a list\n" +
        "  clouds.b.auth.username: is a list, and no text\n  clouds.b.auth.password: is a map, and no text",
    ],
  ])("clouds.yaml %s", (_, text, expected) => {
    write(text);
    expect(faultOf()).toBe(notRead(file) + expected);
  });

  it("a password is not quoted, and shows none", () => {
    write("clouds: {}\n");
    writeFileSync(join(config, "secure.yaml"), "clouds:\n  site:\n    auth:\n      password: @hunter2\n");
    write(`clouds: {site: {auth: ${AUTH}}}\n`);
    expect(faultOf()).toBe(
      `${join(config, "secure.yaml")} is not valid YAML: line 4, column 17: a string without quotes begins with a character that YAML reserves, such as @; quote it`,
    );
  });

  it("clouds.yaml is a folder", () => {
    expect(faultOf({ ...env, OS_CLIENT_CONFIG_FILE: folder })).toBe(`${folder} cannot be read: EISDIR`);
  });

  it("the profile is one of openstacksdk", () => {
    write("clouds: {site: {profile: vexxhost}}\n");
    expect(faultOf()).toBe(
      `cloud site of ${file}: its profile vexxhost is not in ${join(config, "clouds-public.yaml")}; profiles ` +
        "built into openstacksdk are not supported by the OpenStack provider: write auth.auth_url and region_name instead of the profile",
    );
  });

  it("the stack config has a login beside a cloud", () => {
    expect(faultOf(env, { "openstack:password": "hunter2", "openstack:userName": "u" })).toBe(
      "openstack:userName, openstack:password: the OpenStack provider ignores this if openstack:cloud or " +
        "OS_CLOUD is set; write it into clouds.yaml, a password into secure.yaml, or set no cloud",
    );
  });

  it.each(["identity_api_version: 2", "identity_api_version: v3", "auth_type: v2password"])(
    "the file has %s",
    (setting) => {
      write(`clouds: {site: {${setting}, auth: {auth_url: https://keystone}}}\n`);
      expect(faultOf()).toContain("version 3 of Keystone's API is required");
    },
  );

  it("the type of endpoint is none", () => {
    expect(faultOf({ ...env, OS_ENDPOINT_TYPE: "intern" })).toBe(
      'openstack:endpointType or OS_ENDPOINT_TYPE: "intern" is not one of public, publicURL, internal, internalURL, admin, adminURL',
    );
  });

  it("the URL of Keystone is none", () => {
    write("clouds: {site: {auth: {auth_url: keystone}}}\n");
    expect(faultOf()).toBe(`cloud site of ${file}: auth_url is not a URL; write https://host:port/v3`);
  });
});

it("vnfm knows the certificate of a client and other endpoints, as the provider takes them", () => {
  const config = {
    "openstack:authUrl": "https://k",
    "openstack:cert": "client.pem",
    "openstack:endpointOverrides": '{"compute": "https://nova/", "image": "", "network": 7}',
  };
  const access = cloudAccess(config, { OS_CERT: "/other.pem", OS_KEY: "~/client.key" }, "/project");
  expect(access).toMatchObject({
    cert: "/project/client.pem",
    key: "~/client.key",
    endpointOverrides: { compute: "https://nova/" },
  });
  const none = cloudAccess({ ...config, "openstack:endpointOverrides": "{" }, {}, "/project");
  expect(none.endpointOverrides).toBeUndefined();
});

describe("the certificates of the cloud's CA", () => {
  const access = { auth_url: "https://k", source: "the test" };
  const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

  it("are text, or in a file, of the home folder too", () => {
    writeFileSync(join(home, "ca.pem"), pem);
    expect(certificatesOf(access)).toBeUndefined();
    expect(certificatesOf({ ...access, cacert: pem })).toBe(pem);
    expect(certificatesOf({ ...access, cacert: join(home, "ca.pem") })).toBe(pem);
    expect(certificatesOf({ ...access, cacert: "~/ca.pem" })).toBe(pem);
  });

  it("are alone, as clusters get them", () => {
    const withKey = `${pem}-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n`;
    writeFileSync(join(home, "both.pem"), withKey);
    const refused =
      "does not contain only certificates; clusters get it: write each from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----, and no private key";
    expect(() => certificatesOf({ ...access, cacert: withKey })).toThrow(
      new Fault(`the test: cacert ${refused}`),
    );
    expect(() => certificatesOf({ ...access, cacert: "~/both.pem" })).toThrow(
      new Fault(`the test: cacert, the file ${join(home, "both.pem")}, ${refused}`),
    );
  });

  it("are missed", () => {
    expect(() => certificatesOf({ ...access, cacert: "/none.pem" })).toThrow(
      new Fault("the test: cacert is neither a file, /none.pem, nor the content of certificates"),
    );
  });
});
