import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { OpenStack } from "./openstack";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Roles, projects and users that a test creates in the lab's Keystone, and deletes at its end. */
export class Keystone {
  readonly #made: string[] = [];

  private constructor(
    private readonly admin: OpenStack,
    private readonly folder: string,
  ) {}

  /** @param folder folder for the clouds.yaml of each user */
  static async connect(folder: string): Promise<Keystone> {
    return new Keystone(await OpenStack.connect("lab-admin"), folder);
  }

  role(name: string): Promise<Named> {
    return this.#make("role", name, {});
  }

  project(name: string): Promise<Named> {
    return this.#make("project", name, { domain_id: "default" });
  }

  /** Creates a user, and logs in to the project. @param roles names of the user's roles there */
  async user(name: string, project: Named, roles: readonly string[]): Promise<OpenStack> {
    const password = randomBytes(9).toString("base64url");
    const user = await this.#make("user", name, { password, domain_id: "default" });
    const all = (await this.admin.get<{ roles: Named[] }>("identity", "/roles")).roles;
    for (const { id } of all.filter((role) => roles.includes(role.name)))
      await this.admin.put("identity", `/projects/${project.id}/users/${user.id}/roles/${id}`, {});
    const auth = { ...this.admin.auth, username: user.name, password, project_name: project.name };
    const file = join(this.folder, `${user.name}.yaml`);
    writeFileSync(file, stringify({ clouds: { lab: { auth } } }), { mode: 0o600 });
    return OpenStack.connect("lab", file);
  }

  async remove(): Promise<void> {
    for (const path of this.#made.reverse()) await this.admin.delete("identity", path);
  }

  /** @param kind type of the resource, such as `user`. @param name prefix of its name, which gets a unique suffix */
  async #make(kind: string, name: string, fields: object): Promise<Named> {
    const unique = `${name}-${randomBytes(3).toString("hex")}`;
    const body = { [kind]: { name: unique, ...fields } };
    const made = (await this.admin.post<Record<string, Named>>("identity", `/${kind}s`, body))[kind];
    if (made === undefined) throw new Error(`Keystone has made no ${kind} ${unique}`);
    this.#made.push(`/${kind}s/${made.id}`);
    return made;
  }
}
