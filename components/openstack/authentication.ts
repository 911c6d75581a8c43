import { Fault } from "../base/fault";
import type { CloudAccess } from "./clouds";

/**
 * Returns the body of an authentication request for Keystone v3, by the rules of gophercloud (clientconfig and
 * AuthOptions), which the provider uses.
 * @throws Fault naming the setting that is missing, or that contradicts another one
 */
export function authentication(access: CloudAccess): object {
  const { token, password } = access;
  const credential = access.application_credential_id ?? access.application_credential_name;
  const scope = credential === undefined ? scopeOf(access) : {};
  if (token !== undefined || access.auth_type?.includes("token"))
    return { identity: { methods: ["token"], token: { id: needed(access, "token") } }, ...scope };
  if (credential !== undefined) {
    if (password !== undefined)
      fail(
        access,
        "has a password, or OS_PASSWORD, which is used instead of the application credential; remove it",
      );
    const secret = needed(access, "application_credential_secret");
    const { application_credential_id: id } = access;
    const reference = id === undefined ? { name: credential, user: userOf(access) } : { id };
    return {
      identity: { methods: ["application_credential"], application_credential: { ...reference, secret } },
    };
  }
  // missing settings are reported in the order of a clouds.yaml
  const user = userOf(access);
  const identity = {
    methods: ["password"],
    password: { user: { ...user, password: needed(access, "password") } },
  };
  return { identity, ...scope };
}

/** Returns the scope of the token: an empty object for the user's default project. */
function scopeOf(access: CloudAccess): object {
  if (access.project_id !== undefined) return { scope: { project: { id: access.project_id } } };
  const { project_name: name } = access;
  if (name !== undefined) return { scope: { project: { name, domain: domainOf(access, "project") } } };
  if (access.domain_id === undefined && access.domain_name === undefined && access.system_scope === undefined)
    return {};
  const scope = access.system_scope === undefined ? "a domain" : "the system";
  return fail(
    access,
    `is for ${scope}, but servers are created in a project: set project_name or project_id`,
  );
}

function userOf(access: CloudAccess): object {
  const { user_id: id, username: name } = access;
  if (id === undefined)
    return { name: needed(access, "username", "user_id"), domain: domainOf(access, "user") };
  if (name !== undefined) fail(access, "has both username and user_id: remove one of the two");
  const domain = domainsOf(access, "user");
  if (domain.id !== undefined || domain.name !== undefined)
    fail(
      access,
      "has a domain of the user in addition to user_id, which determines it: remove the domain, or OS_USER_DOMAIN_NAME",
    );
  return { id };
}

/** The domain of a name in the request. */
function domainOf(access: CloudAccess, of: "user" | "project"): object {
  const { id, name } = domainsOf(access, of);
  if (id !== undefined && name !== undefined && of === "user")
    fail(access, "has both id and name of the user's domain: remove one of the two");
  if (id === undefined && name === undefined)
    fail(access, `${of}_domain_name or ${of}_domain_id is missing: names are unique only within a domain`);
  return id === undefined ? { name } : { id };
}

interface Domain {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** Domain of a user or project. For a token of a project, `domain_*` apply to both. */
function domainsOf(access: CloudAccess, of: "user" | "project"): Domain {
  const own = { id: access[`${of}_domain_id`], name: access[`${of}_domain_name`] };
  const { domain_id, domain_name, default_domain, project_id, project_name } = access;
  const isForProject =
    project_id ?? project_name ?? access.application_credential_id ?? access.application_credential_name;
  if (isForProject === undefined) return own;
  const domain = { id: own.id ?? domain_id, name: own.name ?? domain_name };
  return domain.id === undefined && domain.name === undefined
    ? { id: default_domain, name: undefined }
    : domain;
}

function needed(access: CloudAccess, ...choices: Exclude<keyof CloudAccess, "endpointOverrides">[]): string {
  const value = choices.map((choice) => access[choice]).find((found) => found !== undefined);
  return value ?? fail(access, `${choices.join(" or ")} is missing`);
}

function fail({ source }: CloudAccess, problem: string): never {
  throw new Fault(`${source}: ${problem}`);
}
