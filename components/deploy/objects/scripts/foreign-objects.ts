/**
 * Runs before the CustomResourceDefinitions and Namespaces of a CNF go, and fails where these have objects of others.
 * Standard input has the credentials, the names, and how the CNF's own objects are known.
 */
import type { Holders, Own } from "../../../kube/client/foreign-objects";
import type { Access } from "../../../kube/client/kube-api";
import { readInput, startProgram } from "../../../run/program";
import { refuseForeign } from "./refuse-foreign";

startProgram(async () => {
  const { access, ...asked } = readInput<Holders & Own & { access: Access }>();
  await refuseForeign(access, asked, asked);
});
