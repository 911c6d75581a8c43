import { setTimeout as sleep } from "node:timers/promises";
import { run } from "./command";

/** A file on an export, as libnfs names it. */
export function nfsUrl(address: string, path: string): string {
  return `nfs://${address}${path}?version=4`;
}

/** libnfs, which does not wait as the kernel's client does while a new server lets old clients reclaim. */
export async function nfs(program: "nfs-cat" | "nfs-cp", ...args: string[]): Promise<string> {
  const end = Date.now() + 150_000;
  for (;;) {
    const { status, stdout, stderr } = await run(program, args);
    if (status === 0) return stdout;
    if (!stderr.includes("NFS4ERR_GRACE") || Date.now() > end)
      throw new Error(`${args.join(" ")}: ${stderr}`);
    await sleep(2000);
  }
}
