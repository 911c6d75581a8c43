/** Keystone users on a cluster from a template: their groups come from their roles, and their rights from RBAC. */
import { parse, stringify } from "yaml";
import { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { Keystone } from "../../support/keystone";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import type { OpenStack } from "../../support/openstack";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";
import { objectsCnf } from "../../support/workload-cluster";

jest.setTimeout(40 * 60_000);

const VIEWERS = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "viewers" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "viewers" }],
};

let stack: TestStack;
let keystone: Keystone;
/** Users with the role in the stack's project, with another role there, and with the role in another project. */
let viewer: OpenStack, member: OpenStack, stranger: OpenStack;
let kubeconfig: string;
/** Writes the stack config, with these settings of the cluster's API in addition to its load balancer. */
let configure: (apiServer: object) => void;
const connected: Cluster[] = [];

beforeAll(async () => {
  await labWithClusterApi();
  await mustRun("lab/lab.sh", ["addons"]);
  stack = await TestStack.create("keystone-users", {});
  keystone = await Keystone.connect(stack.folder);
  const role = (await keystone.role("kube-viewer")).name;
  const template = { ...clusterTemplate(), addons: { flannel: await labAddon("flannel") } };
  const vnfs = {
    "vnf-a": clusterVnf(1),
    ...(await managementCnfs(stack.folder)),
    tenant: templateCluster({ vim: "vnf-a", nodeGroups: { default: { replicas: 0 } } }),
    rights: {
      ...objectsCnf(stack.folder, "rights-package", "tenant", [VIEWERS]),
      readyTimeout: "20m",
    },
  };
  configure = (apiServer) => {
    const kube = { ...template, apiServer: { loadBalancerProvider: "ovn", ...apiServer } };
    stack.configure(vnfs, { "vnfm:clusterTemplates": { kube } });
  };
  configure({ keystone: { authUrl: stack.cloud.auth.auth_url, roles: { [role]: ["viewers"] } } });
  await stack.mustUp();
  kubeconfig = await stack.kubeconfig("tenant");
  const own = { id: stack.cloud.projectId, name: stack.cloud.auth.project_name };
  viewer = await keystone.user("viewer", own, [role]);
  member = await keystone.user("member", own, ["member"]);
  stranger = await keystone.user("stranger", await keystone.project("other"), [role]);
});

afterAll(async () => {
  for (const cluster of connected) cluster.close();
  await stack?.remove();
  await keystone?.remove();
});

/** Connects to the cluster with this token. */
async function as(token: string): Promise<Cluster> {
  const { users, ...rest } = parse(kubeconfig) as { users: { name: string }[] };
  const withToken = { ...rest, users: users.map(({ name }) => ({ name, user: { token } })) };
  const cluster = await Cluster.connect(stringify(withToken));
  connected.push(cluster);
  return cluster;
}

interface WhoAmI {
  readonly status: { readonly userInfo: { readonly username: string; readonly groups: readonly string[] } };
}

async function whoAmI(cluster: Cluster) {
  const { status } = JSON.parse(await cluster.kubectl(["auth", "whoami", "-o", "json"])) as WhoAmI;
  return { username: status.userInfo.username, groups: [...status.userInfo.groups].sort() };
}

/** Runs kubectl, and expects an error. @returns the message */
async function refused(cluster: Cluster, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await cluster.tryKubectl(args);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  return stderr;
}

it("the cluster knows a user, with the groups of the role and of the project", async () => {
  const cluster = await as(viewer.token);
  await until(600, "k8s-keystone-auth to answer", async () => {
    return (await cluster.tryKubectl(["auth", "whoami"])).status === 0;
  });
  expect(await whoAmI(cluster)).toEqual({
    username: viewer.auth.username,
    groups: ["system:authenticated", "viewers", stack.cloud.projectId].sort(),
  });
});

it("the cluster lets the user do what RBAC lets the group of the role do, and nothing else", async () => {
  const cluster = await as(viewer.token);
  expect((await cluster.list("pods", "-n", "kube-system")).length).toBeGreaterThan(0);
  expect(await refused(cluster, "create", "configmap", "mine")).toContain("configmaps is forbidden");
  expect(await refused(cluster, "get", "secrets", "-n", "kube-system")).toContain("secrets is forbidden");
});

it("the cluster lets a user without the role do nothing", async () => {
  const cluster = await as(member.token);
  expect(await whoAmI(cluster)).toEqual({
    username: member.auth.username,
    groups: ["system:authenticated", stack.cloud.projectId].sort(),
  });
  expect(await refused(cluster, "get", "pods", "-n", "kube-system")).toContain("pods is forbidden");
});

it("the cluster takes the role for the same in each project, as the documentation says", async () => {
  expect(await whoAmI(await as(stranger.token))).toEqual({
    username: stranger.auth.username,
    groups: ["system:authenticated", "viewers", stranger.projectId].sort(),
  });
});

it("the cluster knows nobody with a token that Keystone has not given", async () => {
  const says = await refused(await as("of-nobody"), "get", "--raw", "/api");
  expect(says).toContain("You must be logged in to the server");
});

it("RBAC lets the pod that asks Keystone read ConfigMaps alone", async () => {
  const admin = await stack.cluster("tenant");
  connected.push(admin);
  const may = async (...what: string[]) =>
    (await admin.tryKubectl(["auth", "can-i", ...what, "--as", "k8s-keystone-auth"])).stdout.trim();
  expect(await may("list", "configmaps", "-A")).toBe("yes");
  expect(await may("list", "secrets", "-A")).toBe("no");
});

it("the next run has nothing left to do afterwards", async () => {
  expect(await stack.changes()).toEqual([]);
});

it("the cluster knows no user of Keystone once that is taken out of the template again", async () => {
  configure({});
  await stack.mustUp();
  const cluster = await as(viewer.token);
  expect(await refused(cluster, "auth", "whoami")).toContain("Unauthorized");
  expect(await stack.changes()).toEqual([]);
});
