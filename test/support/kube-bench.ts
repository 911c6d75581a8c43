import { cpSync } from "node:fs";
import { mustRun } from "./command";
import { leaderOf, seenPath } from "./lab";

/** What kube-bench has found on a server. */
export interface Benchmark {
  readonly passed: number;
  /** The numbers of the checks that fail. */
  readonly failed: readonly string[];
  /** How many checks somebody has to look at. */
  readonly manual: number;
}

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
 * @param targets parts of the benchmark: `master`, `controlplane`, `etcd`, `node`
 */
export async function benchmark(serverId: string, targets: readonly string[]): Promise<Benchmark> {
  await mustRun("toolchain/build.sh", ["kube-bench"]);
  const built = (await mustRun("toolchain/build.sh", ["--path", "kube-bench"])).trim();
  cpSync(built, seenPath(serverId, "/opt/kube-bench"), { recursive: true });
  const run = `cd /opt/kube-bench && KUBECONFIG=/etc/kubernetes/admin.conf ./kube-bench run --benchmark cis-1.10 \
--config-dir cfg --config cfg/config.yaml --targets ${targets.join(",")} --json`;
  const report = await mustRun("nsenter", [
    ...["--target", leaderOf(serverId), "--all", "--", "/bin/bash", "-c", run],
  ]);
  const results = (JSON.parse(report) as Report).Controls.flatMap(({ tests }) =>
    tests.flatMap((test) => test.results),
  );
  const numbers = (status: string) =>
    results.filter((one) => one.status === status).map(({ test_number }) => test_number);
  return { passed: numbers("PASS").length, failed: numbers("FAIL"), manual: numbers("WARN").length };
}
