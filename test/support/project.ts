import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { OpenStack } from "./openstack";

/** Roles of the lab's usual user in lab/cloud/identity.py, and one that no cluster needs. */
const ROLES = ["member", "load-balancer_member", "creator"];

interface Made {
  readonly id: string;
}

/** A project with its own user in the lab's cloud, so that parallel tests do not see each other's resources. */
export class Project {
  private constructor(
    /** Path of a clouds.yaml, in which the cloud `lab` is this project. */
    readonly cloudsFile: string,
    readonly cloud: OpenStack,
    private readonly admin: OpenStack,
    private readonly user: Made,
  ) {}

  /** @param folder folder for the clouds.yaml */
  static async create(name: string, folder: string): Promise<Project> {
    const admin = await OpenStack.connect("lab-admin");
    const unique = `${name}-${randomBytes(3).toString("hex")}`;
    const password = randomBytes(9).toString("base64url");
    const identity = <T>(path: string, body: object) => admin.post<T>("identity", path, body);
    const [{ project }, { user }, { roles }] = await Promise.all([
      identity<{ project: Made }>("/projects", { project: { name: unique, domain_id: "default" } }),
      identity<{ user: Made }>("/users", { user: { name: unique, password, domain_id: "default" } }),
      admin.get<{ roles: (Made & { name: string })[] }>("identity", "/roles"),
    ]);
    const granted = roles.filter((role) => ROLES.includes(role.name));
    await Promise.all(
      granted.map(({ id }) =>
        admin.put("identity", `/projects/${project.id}/users/${user.id}/roles/${id}`, {}),
      ),
    );
    const cloudsFile = join(folder, "clouds.yaml");
    const auth = { ...admin.auth, username: unique, password, project_name: unique };
    const clouds = { lab: { auth, region_name: "RegionOne", identity_api_version: 3 } };
    writeFileSync(cloudsFile, stringify({ clouds }), { mode: 0o600 });
    return new Project(cloudsFile, await OpenStack.connect("lab", cloudsFile), admin, user);
  }

  /** Revokes a role of the user and grants it again, so that Keystone deletes the user's application credentials. */
  async loseRole(name: string): Promise<void> {
    const { admin, user, cloud } = this;
    const { roles } = await admin.get<{ roles: (Made & { name: string })[] }>("identity", "/roles");
    const role = roles.find((one) => one.name === name)?.id ?? "";
    const path = `/projects/${cloud.projectId}/users/${user.id}/roles/${role}`;
    await admin.delete("identity", path);
    await admin.put("identity", path, {});
  }

  /** Deletes an empty project. */
  async remove(): Promise<void> {
    const { admin, user, cloud } = this;
    const groups = await cloud.get<{ security_groups: Made[] }>(
      "network",
      cloud.ofProject("security-groups"),
    );
    await Promise.all(
      groups.security_groups.map(({ id }) => admin.delete("network", `/v2.0/security-groups/${id}`)),
    );
    await admin.delete("identity", `/users/${user.id}`);
    await admin.delete("identity", `/projects/${cloud.projectId}`);
  }
}
