import * as pulumi from "@pulumi/pulumi";
import { Offer } from "../../../components/deploy/openstack/offer";
import { recordResources, settle } from "../../support/mocks";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { Vnf } from "../../../components/deploy/instance";
import { flavour, kubeconfig, vnfPackage } from "../fixtures";

const MANIFESTS: Readonly<Record<string, string>> = {
  user: "{apiVersion: example.com/v1, kind: Site, metadata: {name: s}}",
  operator: `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c},
  spec: {group: example.com, scope: Namespaced, names: {kind: Site}}}`,
};

const loadPackage = (location: string) =>
  vnfPackage(location, { simple: flavour({ vdus: {} }) }, { m: MANIFESTS[location] ?? "" });

it("makes a CNF after the one that brings the definition of its custom resources", async () => {
  recordResources();
  const vnfs = Object.fromEntries(
    ["user", "operator"].map((name) => [
      name,
      {
        package: name,
        vim: { kubeconfig: kubeconfig("a") },
        additionalParams: { "lcm-kubernetes-def-files": ["m"] },
      },
    ]),
  );
  const [operator, user] = planStack(parseSettings(vnfs).settings, {
    loadPackage,
    readProjectFile: () => undefined,
  });
  if (operator === undefined || user === undefined) throw new Error("there is no plan");
  expect([operator.name, user.name]).toEqual(["operator", "user"]);
  const before: unknown[] = [];
  const record: pulumi.ResourceTransformation = ({ type, opts }) => {
    if (type === "vnfm:cnf:Cnf") before.push(opts.dependsOn);
    return undefined;
  };
  const others = {
    vims: new Map<string, pulumi.Output<string>>(),
    offer: new Offer(),
    identity: pulumi.output("site-1-5f0c2a9e"),
  };
  const first = new Vnf({ plan: operator, made: {}, ...others });
  if (first.cnf === undefined) throw new Error("there is no CNF");
  new Vnf({ plan: user, made: { operator: first }, ...others }, { transformations: [record] });
  await settle();
  expect(before).toEqual([[first.cnf]]);
});
