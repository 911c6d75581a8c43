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
    const unique = uniqueName(name);
    const file = join(this.folder, `${unique}.yaml`);
    const [user, session] = await makeUser(this.admin, { name: unique, project, roles, file });
    this.#made.push(`/users/${user.id}`);
    return session;
  }

  async remove(): Promise<void> {
    for (const path of this.#made.reverse()) await this.admin.delete("identity", path);
  }

  /** @param kind type of the resource, such as `role`. @param name prefix of its name, which gets a unique suffix */
  async #make(kind: string, name: string, fields: object): Promise<Named> {
    const unique = uniqueName(name);
    const body = { [kind]: { name: unique, ...fields } };
    const made = (await this.admin.post<Record<string, Named>>("identity", `/${kind}s`, body))[kind];
    if (made === undefined) throw new Error(`Keystone has made no ${kind} ${unique}`);
    this.#made.push(`/${kind}s/${made.id}`);
    return made;
  }
}

/** A name that no other test uses. */
export function uniqueName(name: string): string {
  return `${name}-${randomBytes(3).toString("hex")}`;
}

interface UserRequest {
  readonly name: string;
  readonly project: Named;
  /** Names of the roles of the user in the project. */
  readonly roles: readonly string[];
  /** The clouds.yaml for the login, in which the cloud is `lab`. */
  readonly file: string;
}

/** Creates a user of a project, and writes the login into a file. @returns the user, and its session */
export async function makeUser(
  admin: OpenStack,
  { name, project, roles, file }: UserRequest,
): Promise<[user: Named, session: OpenStack]> {
  const password = randomBytes(9).toString("base64url");
  const [{ user }, { roles: all }] = await Promise.all([
    admin.post<{ user: Named }>("identity", "/users", { user: { name, password, domain_id: "default" } }),
    admin.get<{ roles: Named[] }>("identity", "/roles"),
  ]);
  const granted = all.filter((role) => roles.includes(role.name));
  await Promise.all(
    granted.map(({ id }) =>
      admin.put("identity", `/projects/${project.id}/users/${user.id}/roles/${id}`, {}),
    ),
  );
  const auth = { ...admin.auth, username: name, password, project_name: project.name };
  const clouds = { lab: { auth, region_name: "RegionOne", identity_api_version: 3 } };
  writeFileSync(file, stringify({ clouds }), { mode: 0o600 });
  return [user, await OpenStack.connect("lab", file)];
}
