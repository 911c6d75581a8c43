import { AT_ONCE, StandIns } from "./stand-ins";

/** What uses the exports of a storage server, before these change. */
const standIns = new StandIns();

const DATA = { nfs_servers: "10.0.0.9\n10.1.0.9", directories: "/volume/pv1\n/volume/shared" };

/** @param lines of the cluster's PersistentVolumes, as kubectl prints them */
function run(...lines: readonly (readonly string[])[]): string | undefined {
  const text = lines.map((columns) => columns.join("\t")).join("\n");
  standIns.program("kubectl", `cat <<'END'\n${text}\nEND\n`);
  standIns.program("hostname", "echo master");
  return standIns.run("exports-in-use.sh", "create", DATA);
}

const bound = (server: string, path: string, name = "data") =>
  ["Bound", server, path, name, "web/claim"] as const;

describe("the exports of a storage server", () => {
  it.each([
    ["no PersistentVolume", []],
    ["one at an exported directory", [bound("10.0.0.9", "/volume/pv1")]],
    ["one below an exported directory", [bound("10.0.0.9", "/volume/shared/a/b")]],
    ["one of another NFS server", [bound("10.0.0.90", "/volume/pv2")]],
    ["one that no claim holds", [["Available", "10.0.0.9", "/volume/pv2", "data", "/"]]],
  ])("may change beside %s", (_, volumes) => {
    expect(run(...volumes)).toBeUndefined();
  });

  it("may not leave while a claim holds a volume in them: each is named", () => {
    const said = run(
      bound("10.0.0.9", "/volume/pv1"),
      bound("10.1.0.9", "/volume/pv10", "ten"),
      bound("10.0.0.9", "/volume", "whole"),
    );
    expect(said).toContain("Nothing is changed on the storage server");
    expect(said?.split("\n").filter((line) => line.startsWith("PersistentVolume"))).toEqual([
      "PersistentVolume ten is in use by the PVC web/claim: /volume/pv10",
      "PersistentVolume whole is in use by the PVC web/claim: /volume",
    ]);
  });

  it("may not change while the cluster does not answer", () => {
    standIns.program("kubectl", "exit 1");
    standIns.program("hostname", "echo master");
    expect(standIns.run("exports-in-use.sh", "create", DATA, AT_ONCE)).toContain(
      "master: the Kubernetes API does not answer, so the exports in use are not known",
    );
  });
});
