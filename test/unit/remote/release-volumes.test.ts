/** What a storage server does before it goes, and what is done where it does not answer. */
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const told = () => standIns.log().split("\n").filter(Boolean);
const tell = (more = "") => `echo "$(basename "$0") $*" >>${standIns.at("told")}; ${more}`;

const WRITTEN = ["sync -f /data/inner", "sync -f /data"];

/** @param umount whether it works, as a command. @param stop what becomes of it */
function release(umount = "true", stop = "exit 0"): string | undefined {
  standIns.program("systemctl", tell(stop));
  const unmounted = standIns.at("unmounted");
  standIns.program("mountpoint", `[ "$2" != /not-mounted ] && ! grep -qx "$2" ${unmounted} 2>/dev/null`);
  standIns.program("umount", `${tell(umount)} && echo "$1" >>${unmounted}`);
  standIns.program("sync", tell());
  const data = { mount_points: "/data\n/not-mounted\n/data/inner", nfs_server: "kernel" };
  return standIns.run("release-volumes.sh", "delete", data);
}

it("the script unmounts its volumes once nothing has hold of them, the inner ones first", () => {
  expect(release()).toBeUndefined();
  expect(told()).toEqual([...WRITTEN, "systemctl stop nfs-server", "umount /data/inner", "umount /data"]);
});

it("the script writes to those that are in use, and goes on", () => {
  expect(release('[ "$1" != /data/inner ]', "exit 1")).toBeUndefined();
  expect(told()).toEqual([
    ...WRITTEN,
    "systemctl stop nfs-server",
    "umount /data/inner",
    "umount /data",
    "sync -f /data/inner",
  ]);
});
