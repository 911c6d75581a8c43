import { planOf } from "../../support/planned";
import * as pulumi from "@pulumi/pulumi";
import { Offer } from "../../../components/deploy/openstack/offer";
import { recordResources, settle } from "../../support/mocks";
import { makeVnfs, Vnf } from "../../../components/deploy/instance";
import { withGuardedPlugins } from "../../../components/kube/access/exec-plugin";
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
  const [operator, user] = planOf(vnfs, { loadPackage });
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

it("has the provider start an exec plugin of the operator's kubeconfig behind a shell, and gives scripts the plugin as it is", async () => {
  const exec = "exec: { apiVersion: client.authentication.k8s.io/v1, command: login }";
  const given = kubeconfig("a").replace("token: a-token", exec);
  const recorded = recordResources();
  const vim = { kubeconfig: given };
  const user = { package: "user", vim, additionalParams: { "lcm-kubernetes-def-files": ["m"] } };
  makeVnfs(planOf({ user }, { loadPackage }));
  await settle();
  const provider = recorded.find(({ type }) => type === "pulumi:providers:kubernetes");
  expect(provider?.inputs["kubeconfig"]).toMatchObject({ value: withGuardedPlugins(given) });
  const inputs = recorded.flatMap(({ inputs: { stdin } }) =>
    stdin === undefined ? [] : [stdin as { value: string }],
  );
  const users = inputs.map(({ value }) => (JSON.parse(value) as { access: { user: object } }).access.user);
  const plugin = { exec: { apiVersion: "client.authentication.k8s.io/v1", command: "login" } };
  expect(users.length).toBeGreaterThan(0);
  for (const one of users) expect(one).toEqual(plugin);
});
