/** The storage server's script, with disks that are files and an NFS server that notes what it is told. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { StandIns } from "./stand-ins";

const standIns = new StandIns();
const at = (path: string) => standIns.at(path);
const read = (path: string) => readFileSync(at(path), "utf8");
/** What the programs have noted, paths as those of a server. */
const told = () => standIns.log().replaceAll(standIns.folder, "").split("\n").filter(Boolean);
const forget = () => rmSync(at("told"), { force: true });

// disks show the first 20 characters, of which the last one differs
const [A, B] = ["11111111-2222-3333-4444-555555555555", "11111111-2222-3333-5555-555555555555"];
const kernelServer = ["systemctl disable -q --now nfs-ganesha", "systemctl enable -q --now nfs-server"];
const EXT4 = "TYPE=ext4\nUUID=old\n";
const EXPORTS = "etc/exports.d/vnfm.exports";
const OTHERS = "/dev/vda1 / ext4 defaults 0 1\n";

/** @param signature as blkid exports it; empty for none. @param link what udev has before the id */
function disk(name: string, volume: string, signature = "", link = "virtio-", suffix = ""): void {
  writeFileSync(at(`dev/${name}`), signature);
  symlinkSync(at(`dev/${name}`), at(`dev/disk/by-id/${link}${volume.slice(0, 20)}${suffix}`));
}

beforeEach(() => {
  for (const folder of ["dev/disk/by-id", "etc"]) mkdirSync(at(folder), { recursive: true });
  for (const file of ["mounts", "running", "exported"]) writeFileSync(at(file), "");
  writeFileSync(at("etc/fstab"), OTHERS);
  const tell = `tell() { echo "$*" >>${at("told")}; }\n`;
  const program = (name: string, text: string) => standIns.program(name, tell + text);
  program("cloud-init", "exit 0");
  program("udevadm", "exit 0");
  program("blockdev", "echo $((10 << 30))");
  program(
    "blkid",
    `device=\${!#}
    [ -s "$device" ] || exit 2
    [ "$(cat "$device")" != several ] || exit 8
    case "$*" in *"-o export"*) cat "$device" ;; *) sed -n "s/^$5=//p" "$device" ;; esac`,
  );
  program("mkfs.ext4", `tell mkfs "$2"; printf 'TYPE=ext4\\nUUID=new-%s\\n' "\${2##*/}" >"$2"`);
  program("resize2fs", `tell resize "$1"`);
  program(
    "mount",
    `tell mount "$1"
    uuid=$(awk -v at="$1" '$2 == at { print $1 }' ${at("etc/fstab")})
    echo "$(grep -lx "$uuid" ${at("dev")}/vd*) $1" >>${at("mounts")}`,
  );
  program(
    "umount",
    `tell umount "$1"; grep -q " $1$" ${at("mounts")} || exit 32; sed -i "\\\\, $1\\$,d" ${at("mounts")}`,
  );
  program(
    "mountpoint",
    `case $1 in
      -q) grep -q " $2$" ${at("mounts")} ;;
      -d) sed -n "s, $2$,,p" ${at("mounts")} ;;
      -x) echo "$2" ;;
    esac`,
  );
  program(
    "systemctl",
    `tell systemctl "$*"
    case $1 in enable | start) echo "\${!#}" >${at("running")} ;; stop) : >${at("running")} ;; esac`,
  );
  program(
    "exportfs",
    `tell exportfs "$*"
    ! grep -qs refused ${at(EXPORTS)} || exit 1
    cat ${at(EXPORTS)} >${at("exported")} 2>/dev/null || : >${at("exported")}`,
  );
});

/** @param mounts mount point by volume */
function create(
  mounts: Readonly<Record<string, string>>,
  { config = "", gib = 10 }: { config?: string; gib?: number } = {},
): string | undefined {
  const places = Object.entries(mounts);
  const data = {
    volumes: places.map(([id, mountTo]) => `${id} ${gib} ${at(mountTo)}`).join("\n"),
    directories: places.map(([, mountTo]) => at(`${mountTo}/pv`)).join("\n"),
    nfs_server: "kernel",
    nfs_config: config || `${at(places[0]?.[1] ?? "")}/pv 10.0.0.0/24(rw)`,
    http_proxy_url: "",
    https_proxy_url: "",
    no_proxy_list: "",
  };
  return standIns.run("storage-server.sh", "create", data, {
    "/dev/disk/": at("dev/disk/"),
    // a file is no block device
    '[ -b "$link" ]': '[ -e "$link" ]',
    "within 60": "within 2",
  });
}

const fstab = () => read("etc/fstab").replaceAll(standIns.folder, "");
/** @param places lines of UUID, mount point and type */
const fstabOf = (...places: string[]) => {
  const lines = places.map((place) => `UUID=${place} defaults,nofail,x-systemd.device-timeout=5min 0 2\n`);
  return `${OTHERS}# vnfm: begin\n${lines.join("")}# vnfm: end\n`;
};

describe("a volume", () => {
  it("is no disk whose name has a part of what the cloud gives for its id", () => {
    disk("vdb", A);
    expect(create({ "11111111-2222": "a" })).toContain("volume 11111111-2222 is not attached to this server");
    expect(told().filter((line) => line.startsWith("mkfs"))).toEqual([]);
  });

  it("is told from another one by its id, in whatever order they are attached", () => {
    disk("vdb", B);
    disk("vdc", A);
    expect(create({ [A]: "a", [B]: "b" })).toBeUndefined();
    expect(fstab()).toBe(fstabOf("new-vdc /a ext4", "new-vdb /b ext4"));
    expect(told()).toEqual([
      ...["mkfs /dev/vdc", "mkfs /dev/vdb", "systemctl daemon-reload"],
      ...["mount /a", "resize /dev/vdc", "mount /b", "resize /dev/vdb"],
      ...["systemctl daemon-reload", ...kernelServer, "exportfs -ra"],
    ]);
    expect(existsSync(at("b/pv"))).toBe(true);
  });

  it("keeps the file system that it has, and what is done is not done again", () => {
    disk("vdb", A, "TYPE=xfs\nUUID=old\n");
    expect(create({ [A]: "a" })).toBeUndefined();
    expect(fstab()).toBe(fstabOf("old /a xfs"));
    expect(told().filter((line) => !line.startsWith("systemctl"))).toEqual(["mount /a", "exportfs -ra"]);
    forget();
    expect(create({ [A]: "a" })).toBeUndefined();
    expect(told()).toEqual([...kernelServer, "exportfs -r"]);
  });

  it.each([
    ["partitions", "PTTYPE=dos\n", "has partitions and no file system"],
    ["what may be one of several", "several", "blkid cannot identify its content (status 8)"],
  ])("with %s is left alone", (_what, signature, fault) => {
    disk("vdb", A, signature);
    disk("vdb1", A, EXT4, "ata-", "-part1");
    expect(create({ [A]: "a" })).toContain(
      `volume ${A}, ${at("dev/vdb")}${fault.startsWith("has") ? ", " : ": "}${fault}`,
    );
    expect([told(), read("dev/vdb"), fstab()]).toEqual([[], signature, OTHERS]);
  });

  it("is left alone if it cannot be read", () => {
    disk("vdb", A);
    standIns.program("head", "exit 1");
    expect(create({ [A]: "a" })).toContain(`volume ${A}, ${at("dev/vdb")}, cannot be read`);
    expect([told(), read("dev/vdb"), fstab()]).toEqual([[], "", OTHERS]);
  });

  it("is not mounted without a file system, and mkfs reports the reason", () => {
    disk("vdb", A);
    standIns.program("mkfs.ext4", "echo 'words of mkfs'; echo 'No space left on device' >&2; exit 1");
    expect(create({ [A]: "a" })).toBe("words of mkfs\nNo space left on device\n");
    expect([told(), fstab(), read("mounts"), read("running")]).toEqual([[], OTHERS, "", ""]);
  });

  it("shows a larger size a moment later, and its file system grows while it is mounted", () => {
    disk("vdb", A, EXT4);
    expect(create({ [A]: "a" })).toBeUndefined();
    forget();
    standIns.program("blockdev", `${standIns.once()}\nonce grown; echo $((20 << 30))`);
    expect(create({ [A]: "a" }, { gib: 20 })).toBeUndefined();
    expect(told().filter((line) => !line.startsWith("systemctl"))).toEqual([
      "resize /dev/vdb",
      "exportfs -r",
    ]);
  });

  it("is left alone if it is too small", () => {
    disk("vdb", A);
    expect(create({ [A]: "a" }, { gib: 11 })).toContain(`${at("dev/vdb")}, is smaller than 11 GiB`);
    expect(told()).toEqual([]);
  });
});

describe("the NFS server", () => {
  const leaving = ["systemctl stop nfs-server", "umount /a"];

  beforeEach(() => {
    disk("vdb", A, EXT4);
    disk("vdc", B);
    expect(create({ [A]: "a" })).toBeUndefined();
    forget();
  });

  it("does not start while a volume is not mounted", () => {
    const dropIn = "etc/systemd/system/nfs-server.service.d/vnfm.conf";
    expect(read(dropIn)).toBe(`[Unit]\nRequiresMountsFor=${at("a")}\n`);
    expect(create({ [A]: "a", [B]: "b" })).toBeUndefined();
    expect(read(dropIn)).toBe(`[Unit]\nRequiresMountsFor=${at("a")} ${at("b")}\n`);
    expect(told().slice(-4)).toEqual(["systemctl daemon-reload", ...kernelServer, "exportfs -r"]);
  });

  it("rests while a mount leaves, whose data stays", () => {
    expect(create({ [B]: "b" })).toBeUndefined();
    expect(fstab()).toBe(fstabOf("new-vdc /b ext4"));
    expect(told().slice(0, 5)).toEqual(["mkfs /dev/vdc", ...leaving, "systemctl daemon-reload", "mount /b"]);
    expect([read("dev/vdb"), read("mounts"), read("running")]).toEqual([
      EXT4,
      `${at("dev/vdc")} ${at("b")}\n`,
      "nfs-server\n",
    ]);
  });

  it("does not rest where a mount that leaves is gone already", () => {
    writeFileSync(at("mounts"), "");
    expect(create({ [B]: "b" })).toBeUndefined();
    expect(told().slice(0, 3)).toEqual(["mkfs /dev/vdc", "systemctl daemon-reload", "mount /b"]);
  });

  it("stays as it is where its lines of fstab have lost their end, and others may follow them", () => {
    const torn = read("etc/fstab").replace("# vnfm: end", `/dev/vda2 ${at("home")} ext4 defaults 0 2`);
    writeFileSync(at("etc/fstab"), torn);
    writeFileSync(at("mounts"), `${read("mounts")}${at("dev/vda2")} ${at("home")}\n`);
    expect(create({ [B]: "b" })).toContain("its end, '# vnfm: end', is missing");
    expect([told(), read("etc/fstab")]).toEqual([["mkfs /dev/vdc"], torn]);
  });

  it("goes on where a mount that leaves is in use", () => {
    standIns.program("umount", "exit 1");
    expect(create({ [B]: "b" })).toContain(
      `${at("a")} was removed from the config, but is in use: see 'fuser -vm`,
    );
    expect([fstab(), read("running")]).toEqual([fstabOf("old /a ext4"), "nfs-server\n"]);
  });

  it("goes on where what comes after a mount that leaves fails, and the next run does the rest", () => {
    const mount = readFileSync(at("mount"), "utf8");
    standIns.program("mount", "exit 1");
    expect(create({ [A]: "b" })).toBeDefined();
    expect([fstab(), read("running")]).toEqual([fstabOf("old /b ext4"), "nfs-server\n"]);
    standIns.program("mount", mount);
    expect(create({ [A]: "b" })).toBeUndefined();
    expect(read("mounts")).toBe(`${at("dev/vdb")} ${at("b")}\n`);
  });

  it("keeps the exports before where it refuses the new ones", () => {
    const before = read(EXPORTS);
    expect(create({ [A]: "a" }, { config: "refused" })).toContain("exportfs refuses the exports, see above");
    expect([read(EXPORTS), read("exported")]).toEqual([before, before]);
    expect(read(`${EXPORTS}.refused`)).toBe("refused\n");
  });

  it("has no exports of long ago where it refuses the first ones", () => {
    expect(create({ [A]: "a" }, { config: "others" })).toBeUndefined();
    // as it goes with another NFS server
    rmSync(at(EXPORTS));
    expect(create({ [A]: "a" }, { config: "refused" })).toContain("exportfs refuses the exports");
    expect([existsSync(at(EXPORTS)), read("exported")]).toEqual([false, ""]);
  });
});
