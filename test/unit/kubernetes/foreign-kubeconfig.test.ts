import { parse, stringify } from "yaml";
import { Fault } from "../../../components/base/fault";
import { foreignKubeconfig, readForeignKubeconfig } from "../../../components/kube/access/foreign-kubeconfig";
import { kubeconfig } from "../fixtures";

const CLUSTER = { server: "https://192.0.2.1:6443", "certificate-authority-data": "Y2E=" };
const USER = { "client-certificate-data": "Y2VydA==", "client-key-data": "a2V5" };
const CONTEXT = { cluster: "tenant", user: "tenant-admin" };

/** As Cluster API writes it. */
const written = (cluster: object, user: object, context: object = CONTEXT) =>
  stringify({
    apiVersion: "v1",
    clusters: [{ cluster, name: "tenant" }],
    contexts: [{ context, name: "tenant-admin@tenant" }],
    "current-context": "tenant-admin@tenant",
    kind: "Config",
    preferences: {},
    users: [{ name: "tenant-admin", user }],
  });

const faultsOf = (given: unknown) => {
  const faults: string[] = [];
  expect(readForeignKubeconfig(given, faults)).toBeUndefined();
  return faults;
};

const ofCluster =
  "is not allowed in a kubeconfig of others; allowed: server, certificate-authority-data, tls-server-name";
const ofUser =
  "is not allowed in a kubeconfig of others; allowed: token, client-certificate-data, client-key-data";

it("the kubeconfig is taken as the program itself writes it", () => {
  expect(foreignKubeconfig(kubeconfig("vnf-a"), "its kubeconfig")).toBe(kubeconfig("vnf-a"));
});

it("the kubeconfig is made anew of its current context alone", () => {
  const [own, other] = [written(CLUSTER, USER), { name: "other", user: { exec: { command: "sh" } } }];
  const value = parse(own) as { users: object[] };
  value.users.unshift(other);
  expect(parse(foreignKubeconfig(stringify(value), "its kubeconfig"))).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "tenant", cluster: CLUSTER }],
    users: [{ name: "tenant-admin", user: USER }],
    contexts: [{ name: "tenant-admin@tenant", context: CONTEXT }],
    "current-context": "tenant-admin@tenant",
  });
});

it("the kubeconfig loses what changes nothing", () => {
  const needless = { "insecure-skip-tls-verify": false, "proxy-url": "", "disable-compression": true };
  const extensions = [{ name: "minikube", extension: {} }];
  const given = written(
    { ...CLUSTER, ...needless, extensions },
    { ...USER, token: null, "as-groups": [], exec: null },
    { ...CONTEXT, namespace: "default" },
  );
  expect(foreignKubeconfig(given, "its kubeconfig")).toBe(
    foreignKubeconfig(written(CLUSTER, USER), "its kubeconfig"),
  );
});

it("the kubeconfig keeps texts that YAML of Kubernetes would read as something else", () => {
  const given = written(CLUSTER, { token: "yes" }).replace("token: yes", 'token: "yes"');
  expect(foreignKubeconfig(given, "its kubeconfig")).toContain('token: "yes"');
});

it.each<[string, object, string]>([
  [
    "a certificate that is not checked",
    { "insecure-skip-tls-verify": true },
    `cluster.insecure-skip-tls-verify: ${ofCluster}`,
  ],
  [
    "a CA in a file",
    { "certificate-authority": "/etc/secret" },
    `cluster.certificate-authority: ${ofCluster}`,
  ],
  ["a proxy", { "proxy-url": "http://secret" }, `cluster.proxy-url: ${ofCluster}`],
  [
    "no TLS",
    { server: "http://secret" },
    "cluster.server: is not an https:// URL with only host, port and path",
  ],
  [
    "a login in the URL",
    { server: "https://u:secret@h" },
    "cluster.server: is not an https:// URL with only host, port and path",
  ],
  [
    "an escape in the URL",
    { server: "https://h/\u001b[2J" },
    "cluster.server: is not an https:// URL with only host, port and path",
  ],
  [
    "a URL that is none",
    { server: "https://[secret" },
    "cluster.server: is not an https:// URL with only host, port and path",
  ],
  ["no server", { server: null }, "cluster.server: is missing"],
  ["no CA", { "certificate-authority-data": null }, "cluster.certificate-authority-data: is missing"],
  [
    "a CA that is no base64",
    { "certificate-authority-data": "a secret" },
    "cluster.certificate-authority-data: is not base64 on one line",
  ],
  ["a field with an escape", { "\u001b[2J": "secret" }, `cluster.a field of another name: ${ofCluster}`],
])("the kubeconfig is refused with %s", (_, changes, fault) => {
  expect(faultsOf(written({ ...CLUSTER, ...changes }, USER))).toEqual([fault]);
});

it.each<[string, object, string]>([
  ["a program", { exec: { command: "secret" } }, `user.exec: ${ofUser}`],
  ["a plugin", { "auth-provider": { name: "oidc" } }, `user.auth-provider: ${ofUser}`],
  ["a token in a file", { ...USER, tokenFile: "/etc/secret" }, `user.tokenFile: ${ofUser}`],
  [
    "a certificate in a file",
    { token: "t", "client-certificate": "/etc/secret" },
    `user.client-certificate: ${ofUser}`,
  ],
  ["a key in a file", { token: "t", "client-key": "/etc/secret" }, `user.client-key: ${ofUser}`],
  ["a user name", { token: "t", username: "secret" }, `user.username: ${ofUser}`],
  ["a password", { token: "t", password: "secret" }, `user.password: ${ofUser}`],
  ["another user", { token: "t", as: "secret" }, `user.as: ${ofUser}`],
  ["another user's id", { token: "t", "as-uid": "secret" }, `user.as-uid: ${ofUser}`],
  ["other groups", { token: "t", "as-groups": ["secret"] }, `user.as-groups: ${ofUser}`],
  [
    "what another user has",
    { token: "t", "as-user-extra": { a: ["secret"] } },
    `user.as-user-extra: ${ofUser}`,
  ],
  [
    "a token of several lines",
    { token: "secret\nx: y" },
    "user.token: is not a token of printable characters of ASCII",
  ],
  ["a token that is a number", { token: 5 }, "user.token: is not a token of printable characters of ASCII"],
  ["no credentials", {}, "user: has neither a token nor a client certificate"],
  [
    "half of a certificate",
    { "client-key-data": "a2V5", token: "t" },
    "user.client-certificate-data: is missing",
  ],
])("the kubeconfig is refused with %s for its user", (_, user, fault) => {
  expect(faultsOf(written(CLUSTER, user))).toEqual([fault]);
});

it("the kubeconfig is refused with all that is wrong, in one fault", () => {
  const given = written({ ...CLUSTER, "proxy-url": "http://p" }, { exec: { command: "sh" }, tokenFile: "f" });
  const faults = [`cluster.proxy-url: ${ofCluster}`, `user.exec: ${ofUser}`, `user.tokenFile: ${ofUser}`];
  expect(() => foreignKubeconfig(given, "its kubeconfig")).toThrow(
    new Fault(faults.map((fault) => `its kubeconfig: ${fault}`).join("\n")),
  );
});

it.each<[string, unknown, string]>([
  ["no text", undefined, "is not a kubeconfig in YAML"],
  ["no YAML", "a: secret\nb: [secret", "is not a kubeconfig in YAML: see line 2"],
  ["several documents", `${kubeconfig("a")}---\n${kubeconfig("b")}`, "is not a kubeconfig in YAML"],
  ["no mapping", "secret", "is not a kubeconfig in YAML"],
  ["endless", "a".repeat(70_000), "has 70000 characters; at most 65536 are allowed"],
  ["no kubeconfig", "{}", "current-context: is not a name of printable characters of ASCII"],
  [
    "of a namespace",
    written(CLUSTER, USER, { ...CONTEXT, namespace: "kube-system" }),
    "context.namespace: is not allowed in a kubeconfig of others; allowed: cluster, user",
  ],
])("the kubeconfig is refused where it is %s", (_, given, fault) => {
  expect(faultsOf(given)).toEqual([fault]);
});

it("the kubeconfig is refused where its context names nothing", () => {
  expect(faultsOf("current-context: a")).toEqual([
    "context.cluster: is missing",
    "context.user: is missing",
    "cluster.server: is missing",
    "cluster.certificate-authority-data: is missing",
    "user: has neither a token nor a client certificate",
  ]);
});
