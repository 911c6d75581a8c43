import { credentialFindings, endingCredentials } from "../../../../automation/checks/credentials";
import type { State } from "../../../../automation/stack/state";
import { urn, vnf } from "../steps";

const TYPE = "openstack:identity/applicationCredential:ApplicationCredential";
const [parent] = vnf();
const credential = { urn: urn(TYPE, "vnf-a"), type: TYPE, parent: parent?.urn ?? "", custom: true };
const state: State = {
  deployment: {
    resources: [
      ...vnf().map(({ urn: its, type, parent: above, custom }) => ({
        urn: its,
        type,
        parent: above,
        custom,
      })),
      { ...credential, inputs: { expiresAt: "2027-01-31T00:00:00Z" } },
    ],
  },
};

it("a credential is found before it ends, by the time that it was made with", () => {
  const found = endingCredentials(state, undefined);
  expect(found).toEqual([{ urn: credential.urn, vnf: "vnf-a", expiresAt: "2027-01-31T00:00:00Z" }]);
  expect(credentialFindings(found, Date.parse("2026-12-01T00:00:00Z"))).toEqual([]);
  expect(credentialFindings(found, Date.parse("2027-02-01T00:00:00Z"))).toEqual([
    {
      ...{ urn: credential.urn, vnf: "vnf-a", step: "credential", kind: "differs" },
      text: "credential.expiresAt: 2027-01-31T00:00:00Z has ended, and with it what the cluster's controllers do in the cloud; set a later time, which makes another credential",
    },
  ]);
});

it("is of its instance alone", () => {
  expect(endingCredentials(state, "vnf-b")).toEqual([]);
});
