import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { makeUser, uniqueName } from "./keystone";
import { OpenStack } from "./openstack";

/** Roles of the lab's usual user in lab/cloud/identity.py, and one that no cluster needs. */
const ROLES = ["member", "load-balancer_member", "creator"];

interface Made {
  readonly id: string;
}

/** A project with its own user in the lab's cloud, so that parallel tests do not see each other's resources. */
export class Project {
  private constructor(
    readonly name: string,
    /** Path of a clouds.yaml, in which the cloud `lab` is this project. */
    readonly cloudsFile: string,
    private readonly admin: OpenStack,
    private session: OpenStack,
    private users: readonly Made[],
  ) {}

  /** Client of the project, for its present user. */
  get cloud(): OpenStack {
    return this.session;
  }

  /** @param folder folder for the clouds.yaml */
  static async create(name: string, folder: string): Promise<Project> {
    const admin = await OpenStack.connect("lab-admin");
    const unique = uniqueName(name);
    const { project } = await admin.post<{ project: Made }>("identity", "/projects", {
      project: { name: unique, domain_id: "default" },
    });
    const cloudsFile = join(folder, "clouds.yaml");
    const [user, session] = await makeUser(admin, {
      ...{ name: uniqueName(unique), roles: ROLES, file: cloudsFile },
      project: { ...project, name: unique },
    });
    return new Project(unique, cloudsFile, admin, session, [user]);
  }

  /** Creates another user with the same roles, and replaces the login in clouds.yaml. */
  async changeUser(): Promise<void> {
    const project = { id: this.cloud.projectId, name: this.name };
    const [user, session] = await makeUser(this.admin, {
      ...{ name: uniqueName(this.name), roles: ROLES, file: this.cloudsFile },
      project,
    });
    this.users = [user, ...this.users];
    this.session = session;
  }

  /** Deletes all users except the present one. */
  async deleteFormerUsers(): Promise<void> {
    const [present, ...former] = this.users;
    for (const { id } of former) await this.admin.delete("identity", `/users/${id}`);
    this.users = present === undefined ? [] : [present];
  }

  /** Revokes a role of the user and grants it again, so that Keystone deletes the user's application credentials. */
  async loseRole(name: string): Promise<void> {
    const { admin, users, cloud } = this;
    const { roles } = await admin.get<{ roles: (Made & { name: string })[] }>("identity", "/roles");
    const role = roles.find((one) => one.name === name)?.id ?? "";
    const path = `/projects/${cloud.projectId}/users/${users[0]?.id}/roles/${role}`;
    await admin.delete("identity", path);
    await admin.put("identity", path, {});
  }

  /** Adds the login of another project to the clouds.yaml of this one, as a cloud with the name. */
  addCloud(name: string, other: Project): void {
    const [own, others] = [this, other].map(({ cloudsFile }) => readClouds(cloudsFile));
    writeFileSync(this.cloudsFile, stringify({ clouds: { ...own, [name]: others?.["lab"] } }));
  }

  /** Deletes an empty project. */
  async remove(): Promise<void> {
    const { admin, users, cloud } = this;
    const groups = await cloud.get<{ security_groups: Made[] }>(
      "network",
      cloud.ofProject("security-groups"),
    );
    await Promise.all(
      groups.security_groups.map(({ id }) => admin.delete("network", `/v2.0/security-groups/${id}`)),
    );
    for (const { id } of users) await admin.delete("identity", `/users/${id}`);
    await admin.delete("identity", `/projects/${cloud.projectId}`);
  }
}

/** Reads the clouds of a clouds.yaml. */
function readClouds(file: string): Readonly<Record<string, object>> {
  return (parse(readFileSync(file, "utf8")) as { clouds: Record<string, object> }).clouds;
}
