/** The clouds of the resources of a state. */
import { cloudsOf, CloudSessions } from "../../../../automation/stack/clouds";
import type { ResourceState } from "../../../../automation/stack/state";
import { Fault } from "../../../../components/base/fault";

const PROVIDER = "pulumi:providers:openstack";
const urnOf = (name: string) => `urn:pulumi:t::vnfm::${PROVIDER}::${name}`;
const provider = (name: string, inputs: object) =>
  ({ urn: urnOf(name), type: PROVIDER, inputs }) as unknown as ResourceState;

const cloudOf = cloudsOf([
  provider("default_5_5_1", { cloud: "central", version: "5.5.1" }),
  provider("cloud-edge", { cloud: "edge", version: "5.5.1" }),
  provider("mine", { authUrl: "https://keystone.example/v3" }),
]);

it.each([
  ["default_5_5_1", {}],
  ["cloud-edge", { name: "edge" }],
  ["mine", undefined],
  ["another", undefined],
])("a resource of the provider %s is in the cloud %j", (name, cloud) => {
  expect(cloudOf({ provider: `${urnOf(name)}::id` })).toEqual(cloud);
});

it("the sessions log in to a cloud once, at its first use", async () => {
  const logins: (string | undefined)[] = [];
  const sessions = new CloudSessions({
    cloud: (name) => {
      logins.push(name);
      return Promise.reject(new Fault(`no login to ${name}`));
    },
  });
  expect(logins).toEqual([]);
  for (const name of ["edge", undefined, "edge"])
    await expect(sessions.to(name)).rejects.toThrow(`no login to ${name}`);
  expect(logins).toEqual(["edge", undefined]);
});
