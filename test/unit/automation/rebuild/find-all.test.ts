/** Resources that the search for a lost state does not know. */
import { assertFindable } from "../../../../automation/rebuild/find-all";

const step = (type: string, custom = true) => ({
  urn: `urn:pulumi:dev::site::${type}::record`,
  type,
  custom,
});
const KNOWN = ["pulumi", "openstack"];

it("a program with resources of other providers is refused, as these would be created a second time", () => {
  expect(() =>
    assertFindable([step("openstack:compute/instance:Instance"), step("dns:index:Record")], KNOWN),
  ).toThrow("the program has resources of other providers: record (dns:index:Record)");
});

it("a component of any package is no resource of a provider", () => {
  expect(() =>
    assertFindable([step("vnfm:index:Vnf", false), step("pulumi:index:Stash")], KNOWN),
  ).not.toThrow();
});
