import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameOfUrn } from "../../../automation/stack/steps";
import { webCnf } from "../../support/configs";
import type { TestStack } from "../../support/stack";

const manifest = (verb: string, namespace: string) => `
{apiVersion: v1, kind: ServiceAccount, metadata: {name: app}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: app}, rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: app}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: app}
subjects: [{kind: ServiceAccount, name: app}]
---
apiVersion: authorization.k8s.io/v1
kind: LocalSubjectAccessReview
spec:
  user: system:serviceaccount:access:app
  resourceAttributes: {namespace: ${namespace}, verb: ${verb}, resource: pods}
---
{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: {resourceAttributes: {verb: "*", resource: "*"}}}
---
{apiVersion: authentication.k8s.io/v1, kind: TokenRequest, metadata: {name: app}, spec: {expirationSeconds: 600}}
`;

interface State {
  readonly deployment: {
    readonly resources: readonly { readonly urn: string; readonly outputs?: { readonly stdout?: unknown } }[];
  };
}

/**
 * Objects that the API answers, but does not store: a CNF's access reviews and a TokenRequest are posted once, after
 * the roles that they depend on. The steps build on each other.
 *
 * @param subject the stack, and its other instances, including the cluster `vnf-a`
 */
export function describeCreateOnly(
  subject: () => { readonly stack: TestStack; readonly vnfs: object },
): void {
  const configure = (verb: string, namespace = "access") => {
    const { stack, vnfs } = subject();
    writeFileSync(join(stack.folder, PACKAGE, "Files/kubernetes/access.yaml"), manifest(verb, namespace));
    const params = { namespace: "access", "lcm-kubernetes-def-files": PATHS };
    stack.configure({ ...vnfs, app: webCnf("access", { package: PACKAGE, additionalParams: params }) });
  };

  /** Returns the answers in the state, by the beginning of the resource's name. */
  const answers = async (): Promise<Record<string, unknown>> => {
    const { stack } = subject();
    const { stdout } = await stack.pulumi("stack", "export", "--show-secrets", "--stack", stack.name);
    const { deployment } = JSON.parse(stdout) as State;
    return Object.fromEntries(
      deployment.resources
        .map(({ urn, outputs }) => [nameOfUrn(urn), outputs?.stdout] as const)
        .filter(([name]) => /^app-.*(review|tokenrequest)/.test(name))
        .map(([name, answer]) => [
          name.replace(/[/-][0-9a-f]{10}$/, ""),
          JSON.parse(plain(answer)) as unknown,
        ]),
    );
  };

  beforeAll(() => cpSync("vnf-packages/web-cnf", join(subject().stack.folder, PACKAGE), { recursive: true }));

  it("are posted after what they are about, and their answers kept as secrets", async () => {
    const { stack } = subject();
    configure("get");
    await stack.mustUp();
    expect(await answers()).toEqual({
      "app-localsubjectaccessreview-access": expect.objectContaining({ allowed: true }) as unknown,
      "app-selfsubjectaccessreview": expect.objectContaining({ allowed: true }) as unknown,
      "app-tokenrequest-access/app": expect.objectContaining({
        token: expect.any(String) as unknown,
      }) as unknown,
    });
    expect(await stack.state()).not.toMatch(/"allowed\\?"/);
    expect(await stack.changes()).toEqual([]);
  });

  it("are posted again when their content changes, and only then", async () => {
    const { stack } = subject();
    configure("delete");
    expect(await stack.changes()).toEqual([
      expect.stringMatching(/^create app-localsubjectaccessreview-/),
      expect.stringMatching(/^delete app-localsubjectaccessreview-/),
    ]);
    await stack.mustUp();
    expect(await answers()).toMatchObject({ "app-localsubjectaccessreview-access": { allowed: false } });
  });

  it("fail the run where the API refuses them", async () => {
    const { stack } = subject();
    configure("get", "elsewhere");
    const { status, stdout, stderr } = await stack.up();
    expect(status).not.toBe(0);
    expect(stdout + stderr).toMatch(/LocalSubjectAccessReview: the Kubernetes API rejects it with 4\d\d: /);
    configure("delete");
    expect(await stack.changes()).toEqual([]);
  });
}

const PACKAGE = "access";
const PATHS = ["access", "configmap", "deployment", "service"].map((name) => `Files/kubernetes/${name}.yaml`);

/** Decodes a value: an export with plain secrets has each secret as JSON in a string. */
function plain(value: unknown): string {
  if (typeof value === "string") return value;
  const { plaintext } = value as { readonly plaintext: string };
  return JSON.parse(plaintext) as string;
}
