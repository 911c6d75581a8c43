/** The clouds of the resources of a state. */
import { cloudsOf, CloudSessions } from "../../../../automation/stack/clouds";
import type { ResourceState } from "../../../../automation/stack/state";
import { Fault } from "../../../../components/base/fault";

const PROVIDER = "pulumi:providers:openstack";
const urnOf = (name: string) => `urn:pulumi:t::vnfm::${PROVIDER}::${name}`;
const provider = (name: string, inputs: object) =>
  ({ urn: urnOf(name), type: PROVIDER, inputs: { __internal: {}, ...inputs } }) as unknown as ResourceState;

const cloudOf = cloudsOf([
  provider("default_5_5_1", { cloud: "central", version: "5.5.1" }),
  provider("cloud-edge", { cloud: "edge", version: "5.5.1" }),
  provider("west", { cloud: "site", region: "West" }),
  provider("default-edge", { cloud: "edge" }),
  provider("own-ca", { cloud: "edge", cacertFile: "ca.pem" }),
  provider("mine", { authUrl: "https://keystone.example/v3" }),
]);

it.each([
  ["default_5_5_1", {}],
  ["default", {}],
  ["cloud-edge", { named: { cloud: "edge" } }],
  ["west", { named: { cloud: "site", region: "West" } }],
  ["default-edge", { named: { cloud: "edge" } }],
  ["own-ca", undefined],
  ["mine", undefined],
  ["another", undefined],
])("a resource of the provider %s is in the cloud %j", (name, cloud) => {
  expect(cloudOf({ provider: `${urnOf(name)}::id` })).toEqual(cloud);
});

it("the sessions log in to a cloud once, at its first use", async () => {
  const logins: (string | undefined)[] = [];
  const sessions = new CloudSessions({
    cloud: (named) => {
      logins.push(named?.cloud);
      return Promise.reject(new Fault(`no login to ${named?.cloud}`));
    },
  });
  expect(logins).toEqual([]);
  for (const name of ["edge", undefined, "edge"])
    await expect(sessions.to(name === undefined ? undefined : { cloud: name })).rejects.toThrow(
      `no login to ${name}`,
    );
  expect(logins).toEqual(["edge", undefined]);
});
