/**
 * Runs before the deletion of a CNF's CRDs and Namespaces, and fails if they contain objects that the stack did not
 * create. Standard input has the credentials, the names, and data to recognise the CNF's own objects.
 */
import type { Holders, Own } from "../../../kube/client/foreign-objects";
import type { Access } from "../../../kube/client/kube-api";
import { readInput, startProgram } from "../../../run/program";
import { refuseForeign } from "./refuse-foreign";

startProgram(async () => {
  const { access, ...scope } = readInput<Holders & Own & { access: Access }>();
  await refuseForeign(access, scope, scope);
});
