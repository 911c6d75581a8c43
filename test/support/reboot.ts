import { onServer } from "./guest";
import type { TestStack } from "./stack";
import { until } from "./until";

/** Has Nova reboot servers of `vnf-a` at the same time. Ends when each of them has booted, and cloud-init is done. */
export async function reboot(stack: TestStack, ...vnfcs: string[]): Promise<void> {
  const vnfA = await stack.vnf("vnf-a");
  await Promise.all(
    vnfcs.map(async (vnfc) => {
      const bootId = () => onServer(stack, vnfc, "cat /proc/sys/kernel/random/boot_id");
      const before = await bootId();
      await stack.cloud.act(vnfA.vnfcs[vnfc]?.serverId ?? "", { reboot: { type: "SOFT" } });
      // SSH ends on the way; a whole machine of the lab takes minutes
      await until(900, `${vnfc} to boot again`, async () => (await bootId().catch(() => before)) !== before);
      await onServer(stack, vnfc, "cloud-init status --wait", 600);
    }),
  );
}
