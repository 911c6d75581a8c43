import * as pulumi from "@pulumi/pulumi";
import { assertFault, type Fault } from "../base/fault";
import { once } from "../base/once";
import { printable } from "../base/printable";
import type { OpenStack, Service } from "../openstack/session";
import { UnansweredFault } from "../openstack/transport";

/** The part of a session with a cloud that the checks before a run use. */
export type Cloud = Pick<OpenStack, "get" | "projectId" | "roles">;

/** Opens a session, or returns the existing one. */
export type Connect = () => Promise<Cloud>;

/**
 * A session for all checks before a run, which sends each request once. A later run, or components that the program
 * creates later, need a new session, because the cloud may have changed.
 */
export function sharedBy(connect: Connect): Connect {
  let shared: Promise<Cloud> | undefined;
  return () => (shared ??= connect().then(remembering));
}

function remembering(session: Cloud): Cloud {
  const answers = once(
    ([service, path]: readonly [Service, string]) => session.get<unknown>(service, path),
    ([service, path]) => `${service} ${path}`,
  );
  return {
    get: <T>(service: Service, path: string) => answers([service, path]) as Promise<T | undefined>,
    // a session without a project refuses only what needs one
    get projectId() {
      return session.projectId;
    },
    roles: session.roles,
  };
}

/**
 * Runs a check. If the cloud refuses a request or is unreachable, the fallback is the result.
 * @throws errors of the program itself
 */
export async function answered<T>(
  check: () => Promise<T>,
  unanswered: (fault: Fault) => NoInfer<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    assertFault(error);
    return unanswered(error);
  }
}

/**
 * Runs a check that a run does not depend on; undefined if the cloud does not answer.
 * @param what data that are then unknown, with a verb, such as `quotas are`
 */
export function optional<T>(what: string, check: () => Promise<T>): Promise<T | undefined> {
  return answered<T | undefined>(check, (fault) => {
    reportUnchecked(what, fault);
    return undefined;
  });
}

/**
 * Runs a check that a run does not depend on, and logs its warnings.
 * @param what as for `optional`
 */
export async function logWarnings(what: string, check: () => Promise<readonly string[]>): Promise<void> {
  for (const warning of (await optional(what, check)) ?? []) void pulumi.log.warn(printable(warning));
}

/**
 * Reports a check that was left out: as a warning if the cloud is unreachable or too busy, because a later run would
 * check it. For data that a cloud never reports, or not to this user, only `pulumi preview --debug` shows the reason.
 */
export function reportUnchecked(what: string, fault: Error): void {
  if (fault instanceof UnansweredFault)
    void pulumi.log.warn(printable(`${what} not known, and therefore not checked: ${fault.message}`));
  else void pulumi.log.debug(printable(`${what} not known: ${fault.message}`));
}
