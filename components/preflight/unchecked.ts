import * as pulumi from "@pulumi/pulumi";
import { UnansweredFault } from "../openstack/transport";
import { printable } from "../base/printable";

/**
 * Reports a check that is left out: with a warning if the cloud is unreachable or too busy, as a later run would check
 * it. Data that a cloud does not report, or not to this user, are mentioned by `pulumi preview --debug`.
 * @param what the unknown data
 */
export function tellUnchecked(what: string, error: Error): void {
  if (error instanceof UnansweredFault)
    void pulumi.log.warn(printable(`${what} not known, and so not checked: ${error.message}`));
  else void pulumi.log.debug(printable(`${what} not known: ${error.message}`));
}
