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
 * One session for all checks before a run, which sends each request once. A later run, or a later part of a program,
 * has another one, as the cloud has changed by then.
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
 * The result of a check, or what stands for it if the cloud refuses a request or is unreachable.
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
 * The result of a check that a run can do without.
 * @param what the data that are unknown without an answer, with a verb, such as `quotas are`
 */
export function optional<T>(what: string, check: () => Promise<T>): Promise<T | undefined> {
  return answered<T | undefined>(check, (fault) => {
    reportUnchecked(what, fault);
    return undefined;
  });
}

/** Logs the warnings of a check that a run can do without, as `optional`. */
export async function logWarnings(what: string, check: () => Promise<readonly string[]>): Promise<void> {
  for (const warning of (await optional(what, check)) ?? []) void pulumi.log.warn(printable(warning));
}

/**
 * Reports a check that is left out: with a warning if the cloud is unreachable or too busy, as a later run would check
 * it. Data that a cloud does not report, or not to this user, are mentioned by `pulumi preview --debug`.
 */
export function reportUnchecked(what: string, fault: Error): void {
  if (fault instanceof UnansweredFault)
    void pulumi.log.warn(printable(`${what} not known, and therefore not checked: ${fault.message}`));
  else void pulumi.log.debug(printable(`${what} not known: ${fault.message}`));
}
