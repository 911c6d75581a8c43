/** The version of vnfm in a stack's outputs, which an older version refuses. */
import { StackState } from "../../automation/stack/stack-state";
import { refuseNewerState, VNFM_VERSION } from "../../components/base/state-version";
import { version } from "../../package.json";

const [major = "", minor = ""] = version.split(".");
const newer = `${major}.${Number(minor) + 1}.0`;
const refusal =
  `the stack was last updated by vnfm ${newer}, and this is vnfm ${version}, which may not know its state: ` +
  `install vnfm ${newer} or newer`;

it("is the package's version", () => {
  expect(VNFM_VERSION).toBe(version);
});

it.each([
  ["no version", undefined],
  ["this version", version],
  ["an older version", "0.0.9"],
  ["an earlier candidate of this version", `${major}.${minor}.0-alpha`],
])("a state of %s is accepted", (_, writer) => {
  expect(() => refuseNewerState(writer)).not.toThrow();
});

it.each([newer, `${Number(major) + 1}.0.0`, `${newer}-rc.1`])("a state of vnfm %s is refused", (writer) => {
  expect(() => refuseNewerState(writer)).toThrow(`install vnfm ${writer} or newer`);
});

it("an operation refuses the exported state of a newer version", () => {
  const stack = {
    urn: "urn:pulumi:dev::vnfm::pulumi:pulumi:Stack::vnfm-dev",
    ...{ type: "pulumi:pulumi:Stack", custom: false, outputs: { vnfmVersion: newer } },
  };
  expect(() => new StackState({ deployment: { resources: [stack] } })).toThrow(refusal);
});
