import type { CheckReport } from "./check";
import type { Finding } from "./checks";
import { describeSnapshots } from "./etcd-snapshots";

/** The result of a check, as lines. */
export function describeCheck({ checks, findings, snapshots }: CheckReport): readonly string[] {
  if (checks === 0) return ["nothing to check: the stack has no servers and no objects that it waits for"];
  const ofEtcd = snapshots.map(describeSnapshots);
  if (findings.length === 0) return [...ofEtcd, `as declared (${checks} checks)`];
  const isMendable = findings.some(({ wayOut }) => wayOut === "mend");
  return [
    ...ofEtcd,
    ...findings.map(describeFinding),
    ...(isMendable ? ["'vnfm mend' runs the scripts that set it up again"] : []),
  ];
}

export function describeFinding({ vnf, vnfc, wayOut, volume, text }: Finding): string {
  const place = vnfc === undefined ? vnf : `${vnf}: ${vnfc}`;
  const advice =
    wayOut === "heal"
      ? `: run 'vnfm heal ${vnf} ${vnfc}'`
      : wayOut === "refresh"
        ? ": run 'pulumi up --refresh'"
        : wayOut === "release"
          ? `: run 'vnfm release ${vnf} ${volume}'`
          : "";
  return `${place}: ${text}${advice}`;
}
