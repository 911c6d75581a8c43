import { cpSync } from "node:fs";
import { mustRun } from "./command";
import { leaderOf, runningPath } from "./lab";

interface Report {
  readonly Controls: readonly {
    readonly tests: readonly {
      readonly results: readonly { readonly test_number: string; readonly status: string }[];
    }[];
  }[];
}

/**
 * Runs the checks of the CIS Benchmark 1.10 on a server of the lab.
 *
 * @param targets sections of the benchmark: `master`, `controlplane`, `etcd`, `node`
 * @returns the numbers of the checks that fail
 */
export async function failedChecks(serverId: string, targets: readonly string[]): Promise<readonly string[]> {
  await mustRun("toolchain/build.sh", ["kube-bench"]);
  const built = (await mustRun("toolchain/build.sh", ["--path", "kube-bench"])).trim();
  cpSync(built, runningPath(serverId, "/opt/kube-bench"), { recursive: true });
  const run = `cd /opt/kube-bench && KUBECONFIG=/etc/kubernetes/admin.conf ./kube-bench run --benchmark cis-1.10 \
--config-dir cfg --config cfg/config.yaml --targets ${targets.join(",")} --json`;
  const report = await mustRun("nsenter", [
    ...["--target", leaderOf(serverId), "--all", "--", "/bin/bash", "-c", run],
  ]);
  return (JSON.parse(report) as Report).Controls.flatMap(({ tests }) =>
    tests.flatMap(({ results }) =>
      results.filter(({ status }) => status === "FAIL").map(({ test_number }) => test_number),
    ),
  );
}
