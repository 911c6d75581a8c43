import { onServer } from "./guest";
import type { TestStack } from "./stack";
import { until } from "./until";

/** Reboots servers of `vnf-a` at the same time, by Nova, and waits until each has booted and cloud-init has ended. */
export async function reboot(stack: TestStack, ...vnfcs: string[]): Promise<void> {
  const vnfA = await stack.vnf("vnf-a");
  await Promise.all(
    vnfcs.map(async (vnfc) => {
      const bootId = () => onServer(stack, vnfc, "cat /proc/sys/kernel/random/boot_id");
      const before = await bootId();
      await stack.cloud.act(vnfA.vnfcs[vnfc]?.serverId ?? "", { reboot: { type: "SOFT" } });
      // SSH fails during the reboot; a virtual machine of the lab takes minutes
      await until(900, `${vnfc} to boot again`, async () => (await bootId().catch(() => before)) !== before);
      await onServer(stack, vnfc, "cloud-init status --wait", 600);
    }),
  );
}
