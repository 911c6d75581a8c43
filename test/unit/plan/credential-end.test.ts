import { credentialEnds } from "../../../components/plan/credential-end";
import { plannedCluster } from "./planned-cluster";
import { textOf } from "../../../components/findings";

const ends = (...args: Parameters<typeof credentialEnds>) => {
  const { faults, warnings } = credentialEnds(...args);
  return { faults: faults.map(textOf), warnings: warnings.map(textOf) };
};
const END = Date.parse("2027-01-31T00:00:00Z");
const DAY = 86_400_000;
const { plans } = plannedCluster({ credential: { expiresAt: "2027-01-31T00:00:00Z" } });
const told = (when: string) =>
  `vnfm:vnfs.tenant.credential.expiresAt: 2027-01-31T00:00:00Z ${when}, and with it what the cluster's controllers do in the cloud; set a later time, which makes another credential`;

test.each([
  [END - 29 * DAY, undefined],
  [END - 28 * DAY, "ends in 28 days"],
  [END - 2.5 * DAY, "ends in 2 days"],
  [END - 1000, "ends within a day"],
])("the end of a credential is a warning four weeks before", (now, when) => {
  expect(ends(plans, now)).toEqual({
    faults: [],
    warnings: when === undefined ? [] : [told(when)],
  });
});

test("a credential that has ended is a fault, as Keystone would make none", () => {
  expect(ends(plans, END + 1000)).toEqual({ faults: [told("has ended")], warnings: [] });
});

test("one without an end is never told", () => {
  expect(ends(plannedCluster().plans, END + 1000)).toEqual({ faults: [], warnings: [] });
});
