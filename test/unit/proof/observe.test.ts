/** What the things of a cloud are called in a preview. */
import { subjectOf } from "../../proof/observe";

const NAMES = { one: ["app"], "one-b": ["masterNode", "app-1"] };

it.each([
  ["server", "one-app-1", { vnf: "one", vnfc: "app-1", kind: "server", key: "" }],
  // Nova's name is in small letters
  ["server", "one-b-masternode-2", { vnf: "one-b", vnfc: "masterNode-2", kind: "server", key: "" }],
  ["port", "one-app-12-app_CP-0a1b2c3", { vnf: "one", vnfc: "app-12", kind: "port", key: "app_CP" }],
  ["port", "one-b-app-1-2-cp-0a1b2c3", { vnf: "one-b", vnfc: "app-1-2", kind: "port", key: "cp" }],
  ["network", "one-left-0a1b2c3", { vnf: "one", kind: "network", key: "left" }],
  ["keyPair", "one-0a1b2c3", { vnf: "one", kind: "keyPair", key: "" }],
  ["port", "one-app-1-app_CP", { kind: "port", key: "one-app-1-app_CP" }],
  ["securityGroup", "default", { kind: "securityGroup", key: "default" }],
  ["network", "other-0a1b2c3", { kind: "network", key: "other-0a1b2c3" }],
] as const)("a %s of the name %s is known by its instance and VNFC", (kind, name, subject) => {
  expect(subjectOf(kind, name, NAMES)).toEqual(subject);
});
