/** Tests of names in VNFDs, and keys of the stack config, that are also properties of all JavaScript objects. */
import { planOf } from "../../support/planned";
import * as pulumi from "@pulumi/pulumi";
import { makeVnfs } from "../../../components/deploy/instance";
import { vnfOutputs } from "../../../components/deploy/outputs";
import { recordResources, settle } from "../../support/mocks";
import { packageOf, vnfd } from "../vnfd/support";
import { clusterOutputs } from "./outputs";

const NAMES = [
  ...[
    "toString",
    "constructor",
    "hasOwnProperty",
    "valueOf",
    "then",
    "toJSON",
    "__proto__",
    "__pulumiOutput",
  ],
  ...["length", "id", "urn", "apply"],
];
/** Parts of a VNFD and of the config, each with another of these names. */
const PARTS = [
  "VDU1",
  "VOL1",
  "CP1",
  "CP2",
  "VL1",
  "aspect1",
  "d1",
  "d2",
  "small",
  "group1",
  "apart",
  "virtual_link_ext",
];

it.each(NAMES.map((_, i) => PARTS.map((part, j) => [part, NAMES[(i + j) % NAMES.length] ?? ""] as const)))(
  "makes a VNF whose parts have names of JavaScript's own: %j, ...",
  async (...names) => {
    const of = new Map(names);
    const text = names.reduce(
      (changed, [part, name]) => changed.replaceAll(new RegExp(`\\b${part}\\b`, "g"), name),
      vnfd,
    );
    const vdu = of.get("VDU1") ?? "";
    const network = { network: "6d0e4f32-0000-4000-8000-000000000000" };
    const recorded = recordResources(clusterOutputs);
    const made = makeVnfs(
      planOf({
        constructor: {
          package: packageOf(text),
          extVirtualLinks: Object.fromEntries([[of.get("virtual_link_ext") ?? "", network]]),
          images: Object.fromEntries([[vdu, "image"]]),
          flavors: Object.fromEntries([[vdu, "flavor"]]),
          scale: Object.fromEntries([[of.get("aspect1") ?? "", 1]]),
          instantiationLevel: of.get("small"),
        },
      }),
    );
    pulumi.output(vnfOutputs(made));
    await settle();
    const servers = recorded.filter(({ type }) => type === "openstack:compute/instance:Instance");
    expect(servers.map(({ name }) => name)).toEqual([
      `constructor-${vdu}-1-server`,
      `constructor-${vdu}-2-server`,
    ]);
    const others = recorded.map(({ name }) => name);
    for (const part of ["VOL1", "CP1", "CP2"])
      expect(others).toContain(`constructor-${vdu}-1-${of.get(part)}`);
    expect(others).toContain(`constructor-${of.get("VL1")}`);
  },
);
