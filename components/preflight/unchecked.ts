import * as pulumi from "@pulumi/pulumi";
import { UnansweredFault } from "../openstack/transport";
import { printable } from "../base/printable";

/**
 * Tells that a check is left out: a warning where the cloud is not reached or too busy, as it would have been checked
 * otherwise. What a cloud does not tell, or not this user, `pulumi preview --debug` shows.
 *
 * @param what is not known
 */
export function tellUnchecked(what: string, error: Error): void {
  if (error instanceof UnansweredFault)
    void pulumi.log.warn(printable(`${what} not known, and so not checked: ${error.message}`));
  else void pulumi.log.debug(printable(`${what} not known: ${error.message}`));
}
