import type { Allowance } from "../../../automation/operations/guard";
import { subjectOfVnfc, type Subject } from "../../../automation/changes/subject";

/** Returns the VNFCs that an allowance lets an operation delete. */
export function vnfcsToGo(
  allowance: Pick<Allowance, "mayGo"> | undefined,
  vnfcs: readonly string[],
): readonly string[] {
  return vnfcs.filter((vnfc) => allowance?.mayGo({ subject: subjectOfVnfc("v", vnfc) }));
}

/** Returns the subject of a Kubernetes object, as in a preview. */
export function objectSubject(apiVersion: string, kind: string, name: string): Subject {
  const object = { apiVersion, kind, namespace: "tenant", name };
  return { vnf: "tenant", kind: "object", key: `${kind} tenant/${name}`, object };
}
