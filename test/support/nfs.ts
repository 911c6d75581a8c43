import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "./command";

/** A file on an export, as libnfs names it. */
export function nfsUrl(address: string, path: string): string {
  return `nfs://${address}${path}?version=4`;
}

/** @param url of a file on an export. @returns what is in it */
export function readNfs(url: string): Promise<string> {
  return nfs("nfs-cat", url);
}

/** @param url of a file on an export, which is made where it is not there */
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

/** libnfs, which does not wait as the kernel's client does while a new server lets old clients reclaim. */
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
