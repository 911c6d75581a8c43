import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "./command";

/** URL of a file on an NFS export, in libnfs' form. */
export function nfsUrl(address: string, path: string): string {
  return `nfs://${address}${path}?version=4`;
}

/** Reads a file on an NFS export. */
export function readNfs(url: string): Promise<string> {
  return nfs("nfs-cat", url);
}

/** Writes a file on an NFS export, and creates it if necessary. */
export async function writeNfs(url: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-nfs-"));
  try {
    const file = join(folder, "file");
    writeFileSync(file, text);
    await nfs("nfs-cp", file, url);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program of libnfs, and repeats it in the grace period of a new server, for which libnfs does not wait. */
async function nfs(program: "nfs-cat" | "nfs-cp", ...args: string[]): Promise<string> {
  const end = Date.now() + 150_000;
  for (;;) {
    const { status, stdout, stderr } = await run(program, args);
    if (status === 0) return stdout;
    if (!stderr.includes("NFS4ERR_GRACE") || Date.now() > end)
      throw new Error(`${args.join(" ")}: ${stderr}`);
    await sleep(2000);
  }
}
