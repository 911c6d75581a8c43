/** A kubeadm cluster that knows users of Keystone. */
import { mustRun } from "../../support/command";
import { clusterVnf } from "../../support/configs";
import { Keystone } from "../../support/keystone";
import { TestStack } from "../../support/stack";
import { userOf } from "../../support/user-of";

jest.setTimeout(30 * 60_000);

let stack: TestStack;
let keystone: Keystone;
let token: string;

beforeAll(async () => {
  // they have the image of k8s-keystone-auth
  await mustRun("lab/lab.sh", ["addons"]);
  stack = await TestStack.create("keystone", {});
  keystone = await Keystone.connect(stack.folder);
  const role = (await keystone.role("kube-viewer")).name;
  const project = { id: stack.cloud.projectId, name: stack.cloud.auth.project_name };
  token = (await keystone.user("viewer", project, [role])).token;
  const authUrl = stack.cloud.auth.auth_url;
  stack.configure({
    "vnf-a": clusterVnf(1, { apiServer: { keystone: { authUrl, roles: { [role]: ["viewers"] } } } }),
  });
  await stack.mustUp();
});

afterAll(async () => {
  await stack?.remove();
  await keystone?.remove();
});

it("the cluster knows a user of Keystone, with the groups of the role and of the project", async () => {
  const groups = ["system:authenticated", "viewers", stack.cloud.projectId].sort();
  expect(await userOf(token, await stack.kubeconfig("vnf-a"))).toMatchObject({ groups });
});

it("the cluster is as declared afterwards, and has nothing left to do", async () => {
  expect(await stack.check()).toMatchObject({ status: 0, found: [] });
  expect(await stack.changes()).toEqual([]);
});
