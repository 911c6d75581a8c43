/** What the scripts make of how cloud-init has ended, with a cloud-init that says so. */
import { StandIns } from "./stand-ins";

const standIns = new StandIns();

/** @param status that cloud-init ends with. @returns what prepare-node.sh says, undefined for nothing */
function settle(status: number): string | undefined {
  standIns.program("hostname", "echo node-1");
  standIns.program("cloud-init", `case "$*" in *--long) echo "status: error" ;; *) exit ${status} ;; esac`);
  return standIns.run("prepare-node.sh", "settle", {});
}

// 2 is "done, with recoverable errors"
it.each([0, 2])("the script goes on where it has ended with %d", (status) => {
  expect(settle(status)).toBeUndefined();
});

it("the script tells cloud-init's words where it has failed", () => {
  expect(settle(1)).toBe(
    "status: error\nnode-1: cloud-init failed, or has not ended in 600 s: see its output above, and " +
      "/var/log/cloud-init-output.log there\n",
  );
});
