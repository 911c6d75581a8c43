import type { Allowance } from "../../../automation/operations/guard";
import { subjectOfVnfc, type Subject } from "../../../automation/changes/subject";

/** Those of some VNFCs that may go by an allowance. */
export function vnfcsToGo(
  allowance: Pick<Allowance, "mayGo"> | undefined,
  vnfcs: readonly string[],
): readonly string[] {
  return vnfcs.filter((vnfc) => allowance?.mayGo({ subject: subjectOfVnfc("v", vnfc) }));
}

/** A Kubernetes object as a preview names it. */
export function objectSubject(apiVersion: string, kind: string, name: string): Subject {
  const object = { apiVersion, kind, namespace: "tenant", name };
  return { vnf: "tenant", kind: "object", key: `${kind} tenant/${name}`, object };
}
