import {
  aptKeyFindings,
  certificateFindings,
  credentialFindings,
  endingCredentials,
  kubeconfigFindings,
} from "../../../../automation/checks/expiries";
import { StackState } from "../../../../automation/stack/stack-state";
import type { Properties, State } from "../../../../automation/stack/state";
import { ENDING_KEY, kubeconfig } from "../../fixtures";
import { COMMAND, scriptInputs, urn, vnf, vnfc } from "../steps";

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
  const found = endingCredentials(new StackState(state), undefined);
  expect(found).toEqual([{ urn: credential.urn, vnf: "vnf-a", expiresAt: "2027-01-31T00:00:00Z" }]);
  expect(credentialFindings(found, Date.parse("2026-12-01T00:00:00Z"))).toEqual([]);
  expect(credentialFindings(found, Date.parse("2027-02-01T00:00:00Z"))).toEqual([
    {
      ...{ urn: credential.urn, vnf: "vnf-a", step: "credential", kind: "differs" },
      text: "credential.expiresAt: 2027-01-31T00:00:00Z has ended, and the cluster's controllers then lose access to the cloud; set a later time, which creates another credential",
    },
  ]);
});

it("a finding is of its instance alone", () => {
  expect(endingCredentials(new StackState(state), "vnf-b")).toEqual([]);
});

/** The scripts of a master of vnf-a, with what they run with. */
function withMaster(inputs: Readonly<Record<string, object>>): StackState {
  const resources = [...vnf(), ...vnfc("same", "masterNode-1", "master")].map(
    ({ urn: its, type, parent: above, custom }) => ({ urn: its, type, parent: above, custom }),
  );
  return new StackState({
    deployment: {
      resources: resources.map((one) => ({
        ...one,
        inputs: (inputs[one.urn.split("::")[3] ?? ""] ?? {}) as Properties,
      })),
    },
  });
}

describe("certificates of a master", () => {
  const script = withMaster({ "vnf-a-masterNode-1-prepare": scriptInputs("certificates") });
  const [one, ...others] = script.scripts("vnf-a", "expiry");
  const about = {
    ...{
      urn: urn(COMMAND, "vnf-a-masterNode-1-prepare"),
      vnf: "vnf-a",
      vnfc: "masterNode-1",
      step: "prepare",
    },
  };
  const found = (status: number, stdout: string, now: string, stderr = "") =>
    certificateFindings(one!, { status, stdout, stderr }, Date.parse(now));
  const ends = '{"expiresAt":"2027-01-31T00:00:00Z","caExpiresAt":"2036-01-31T00:00:00Z"}\n';

  it("are asked of the script that has made them", () => {
    expect([one?.script, others]).toEqual(["certificates.sh", []]);
    expect(script.scripts("vnf-b", "expiry")).toEqual([]);
  });

  it("are found 30 days before they end", () => {
    expect(found(0, ends, "2026-12-31T00:00:00Z")).toEqual([]);
    expect(found(0, ends, "2027-01-20T12:00:00Z")).toEqual([
      {
        ...about,
        kind: "differs",
        text: "kubeadm's certificates: 2027-01-31T00:00:00Z ends in 10 days, and the Kubernetes API then stops working; 'vnfm rotate vnf-a certificates' renews them",
      },
    ]);
  });

  it("cannot be checked where the master does not answer, or answers something else", () => {
    expect(found(255, "", "2026-01-01T00:00:00Z", "no route to host\n")).toEqual([
      { ...about, kind: "unchecked", text: "step prepare cannot be checked: no route to host" },
    ]);
    for (const odd of ["", "null", "[]", '{"expiresAt":1}', ends.replace("2027-01-31T", "2027-13-31T")])
      expect(found(0, odd, "2026-01-01T00:00:00Z")).toEqual([
        {
          ...about,
          kind: "unchecked",
          text: "step prepare cannot be checked: the script's output about certificates is not as expected",
        },
      ]);
  });
});

it("a kubeconfig that ends is found, for each instance on its cluster", () => {
  const claims = Buffer.from('{"exp":1801353600}').toString("base64url");
  const text = kubeconfig("c").replace("c-token", `e30.${claims}.s`);
  const vims = [
    { urn: "u", kubeconfig: text, vnfs: ["tenant", "web"], volumes: [] },
    { urn: "v", kubeconfig: kubeconfig("d"), vnfs: ["vnf-a"], volumes: [] },
  ];
  const now = Date.parse("2027-01-21T00:00:00Z");
  const finding = {
    ...{ urn: "u", vnf: "tenant", step: "kubeconfig", kind: "differs" },
    text: "the kubeconfig: 2027-01-31T00:00:00Z ends in 10 days, and all access to the cluster then ends; 'pulumi up' uses the current one of the settings or of Cluster API",
  };
  expect(kubeconfigFindings(vims, undefined, now)).toEqual([finding]);
  expect(kubeconfigFindings(vims, "web", now)).toEqual([finding]);
  expect(kubeconfigFindings(vims, "vnf-a", now)).toEqual([]);
  expect(kubeconfigFindings(vims, undefined, now - 30 * 86_400_000)).toEqual([]);
});

it("a key of an apt repository that ends is found, once for each instance", () => {
  const data = (key: string) =>
    scriptInputs("prepare", JSON.stringify({ reach: {}, data: { apt_key: key } }));
  const prepared = (key: string) => withMaster({ "vnf-a-masterNode-1-prepare": data(key) });
  const now = Date.parse("2026-02-21T00:00:00Z");
  expect(aptKeyFindings(prepared(ENDING_KEY), undefined, now)).toEqual([
    {
      ...{ urn: urn(COMMAND, "vnf-a-masterNode-1-prepare"), vnf: "vnf-a", step: "prepare", kind: "differs" },
      text: "apt_repository.signed_by: 2026-03-01T00:00:00Z ends in 8 days, and new nodes then cannot install packages; set the repository's current key, which is copied to all nodes",
    },
  ]);
  expect(aptKeyFindings(prepared(""), undefined, now)).toEqual([]);
  expect(aptKeyFindings(prepared(ENDING_KEY), "vnf-b", now)).toEqual([]);
});
