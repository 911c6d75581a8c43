/** The cloud of a provider of a program. */
import { assertUsed } from "../../../components/program/clouds";

const config = { "openstack:cloud": "site", "openstack:authUrl": "https://other.site/v3" };

it("refuses arguments that OS_CLOUD of the environment is taken before", () => {
  expect(() => assertUsed(config, { OS_CLOUD: "site" })).toThrow(
    "a provider of OpenStack has authUrl https://other.site/v3, and OS_CLOUD=site of the environment is taken before it: " +
      "unset OS_CLOUD, or give the provider a cloud of clouds.yaml",
  );
});

it.each([
  ["a cloud of its own", config, { OS_CLOUD: "another" }],
  ["no OS_CLOUD", config, {}],
  ["arguments of the environment", config, { OS_CLOUD: "site", OS_AUTH_URL: "https://other.site/v3" }],
  ["a cloud alone", { "openstack:cloud": "site" }, { OS_CLOUD: "site" }],
  ["no cloud", { "openstack:authUrl": "https://other.site/v3" }, { OS_CLOUD: "site" }],
])("takes a provider with %s", (_, known, env) => {
  expect(() => assertUsed(known, env)).not.toThrow();
});
