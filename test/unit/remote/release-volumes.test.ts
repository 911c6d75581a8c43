/** What a storage server does before it goes, and what is done where it does not answer. */
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const told = () => standIns.told().split("\n").filter(Boolean);
const tell = (more = "") => `echo "$(basename "$0") $*" >>${standIns.at("told")}; ${more}`;

/** @param umount what becomes of it */
function release(umount = "exit 0", stop = "exit 0"): string | undefined {
  standIns.program("systemctl", tell(stop));
  standIns.program("mountpoint", `[ "$2" != /not-mounted ]`);
  standIns.program("umount", tell(umount));
  standIns.program("sync", tell());
  const data = { mount_points: "/data\n/not-mounted\n/data/inner", nfs_server: "kernel" };
  return standIns.run("release-volumes.sh", "delete", data);
}

it("unmounts its volumes once nothing has hold of them, the inner ones first", () => {
  expect(release()).toBeUndefined();
  expect(told()).toEqual(["systemctl stop nfs-server", "umount /data/inner", "umount /data"]);
});

it("writes to those that are in use, and goes on", () => {
  expect(release('[ "$1" != /data/inner ]', "exit 1")).toBeUndefined();
  expect(told()).toEqual([
    "systemctl stop nfs-server",
    "umount /data/inner",
    "sync -f /data/inner",
    "umount /data",
  ]);
});
