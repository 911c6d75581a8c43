/** The part of prepare-node.sh that turns swap off, also for the boots to come. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const told = () => standIns.log().split("\n").filter(Boolean);

/** @param failing what systemctl fails with */
function swap(failing = "nothing"): string | undefined {
  standIns.program("flock", "exit 0");
  standIns.program("swapoff", `echo "swapoff $*" >>${standIns.at("told")}`);
  standIns.program(
    "systemctl",
    `case "$*" in
      "list-units --all --plain --no-legend --type swap")
        printf '%s\\n' 'dev-zram0.swap loaded active active Compressed' 'dev-old.swap masked inactive dead x' \\
          'dev-gone.swap not-found inactive dead x' ;;
      "list-unit-files --no-legend --type swap")
        printf '%s\\n' 'dev-disk-by\\x2duuid-1.swap generated -' 'dev-zram0.swap generated -' ;;
      "list-unit-files --no-legend zramswap.service "*) echo 'zramswap.service enabled enabled'; exit 1 ;;
      *) echo "$*" >>${standIns.at("told")}; [ "$*" != "${failing}" ] ;;
    esac`,
  );
  mkdirSync(standIns.at("etc"), { recursive: true });
  writeFileSync(standIns.at("etc/fstab"), "/dev/vda1 / ext4 defaults 0 1\n/swap none swap sw 0 0\n");
  return standIns.run("prepare-node.sh", "swap", {});
}

it("the script masks each unit that would turn it on at a boot, and takes it out of fstab", () => {
  expect(swap()).toBeUndefined();
  expect(told()).toEqual([
    "mask -q --now -- dev-disk-by\\x2duuid-1.swap",
    "mask -q --now -- dev-zram0.swap",
    "mask -q --now -- zramswap.service",
    "swapoff -a",
  ]);
  expect(readFileSync(standIns.at("etc/fstab"), "utf8")).toBe(
    "/dev/vda1 / ext4 defaults 0 1\n#/swap none swap sw 0 0\n",
  );
});

it("disables a unit that cannot be masked", () => {
  expect(swap("mask -q --now -- dev-zram0.swap")).toBeUndefined();
  expect(told().slice(1, 3)).toEqual([
    "mask -q --now -- dev-zram0.swap",
    "disable -q --now -- dev-zram0.swap",
  ]);
});
