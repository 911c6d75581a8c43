/** Which roles the credentials of a run have, by those of the user who runs it. */
import { planOf } from "../../support/planned";
import * as pulumi from "@pulumi/pulumi";
import { readCredentialRoles } from "../../../components/preflight/credential-roles";
import { loadPackage } from "../../../components/vnfd/package";
import { clusterVnf } from "../../support/configs";
import { plannedCluster } from "../plan/planned-cluster";
import { settingsFault } from "../places";
import { stubCloud } from "./stub-cloud";

let told: string[];

beforeEach(() => {
  told = [];
  jest.spyOn(pulumi.log, "warn").mockImplementation((message) => {
    told.push(message);
    return Promise.resolve();
  });
});
afterEach(() => jest.restoreAllMocks());

const userWith = (...roles: string[]) =>
  jest.fn(() => Promise.resolve({ ...stubCloud(() => undefined), roles }));

const isThere = () => true;

it("are asked for only where a cluster has a credential", async () => {
  const connect = userWith("admin");
  const plans = planOf({ "vnf-a": clusterVnf(1) }, { loadPackage });
  expect(await readCredentialRoles(plans, isThere, connect)).toBeUndefined();
  expect([connect.mock.calls, told]).toEqual([[], []]);
});

it("are those of members by default", async () => {
  const connect = userWith("admin", "load-balancer_member", "member");
  expect(await readCredentialRoles(plannedCluster().plans, isThere, connect)).toEqual([
    "member",
    "load-balancer_member",
  ]);
  expect(told).toEqual([]);
});

it("are all where the user has none of members, which is told", async () => {
  expect(await readCredentialRoles(plannedCluster().plans, isThere, userWith("operator"))).toBeUndefined();
  expect(told).toEqual([
    "vnfm:vnfs.tenant.credential.roles: the user of pulumi up has no role member in the project, so the credential has all roles of the user (operator); set the roles that its controllers need",
  ]);
});

it("are refused before the run where the user does not have them", async () => {
  const { plans } = plannedCluster({ credential: { roles: ["creator"] } });
  await expect(readCredentialRoles(plans, isThere, userWith("member"))).rejects.toThrow(
    settingsFault(
      'vnfm:vnfs.tenant.credential.roles[0]: the user of pulumi up does not have the role "creator" in the project, and can delegate only member',
    ),
  );
});

it("an end is suggested where a credential is new, and has none", async () => {
  const suggested = async (cluster: object, there: boolean) => {
    told = [];
    await readCredentialRoles(plannedCluster(cluster).plans, () => there, userWith("member"));
    return told;
  };
  expect(await suggested({}, false)).toEqual([
    "vnfm:vnfs.tenant.credential.expiresAt: is not set, so the credential never expires; with a time, previews warn 30 days before it expires",
  ]);
  expect(await suggested({}, true)).toEqual([]);
  expect(await suggested({ credential: { expiresAt: "2027-01-31T00:00:00Z" } }, false)).toEqual([]);
});
