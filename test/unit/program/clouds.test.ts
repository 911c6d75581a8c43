/** The cloud of a provider of a program. */
import { assertUsed } from "../../../components/program/clouds";

const config = { "openstack:cloud": "site", "openstack:authUrl": "https://other.site/v3" };

it("the program refuses arguments that OS_CLOUD of the environment is taken before", () => {
  expect(() => assertUsed(config, { OS_CLOUD: "site" })).toThrow(
    "an OpenStack provider has authUrl https://other.site/v3, but OS_CLOUD=site of the environment overrides it: " +
      "unset OS_CLOUD, or set a cloud of clouds.yaml in the provider",
  );
});

it.each([
  ["a cloud of its own", config, { OS_CLOUD: "another" }],
  ["no OS_CLOUD", config, {}],
  ["arguments of the environment", config, { OS_CLOUD: "site", OS_AUTH_URL: "https://other.site/v3" }],
  ["a cloud alone", { "openstack:cloud": "site" }, { OS_CLOUD: "site" }],
  ["no cloud", { "openstack:authUrl": "https://other.site/v3" }, { OS_CLOUD: "site" }],
])("the program takes a provider with %s", (_, known, env) => {
  expect(() => assertUsed(known, env)).not.toThrow();
});
