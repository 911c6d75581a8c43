import type * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { fileLines } from "../../render/file-lines";
import { phaseStep } from "./phase-step";
import type { PreparedNode } from "./prepared-node";

/** Runs k8s-keystone-auth on each master, if the cluster has users of Keystone. */
export function runKeystoneAuth(
  instance: string,
  { nodes: { keystoneAuth } }: ClusterPlan,
  masters: readonly PreparedNode[],
  opts: pulumi.CustomResourceOptions,
): void {
  if (keystoneAuth === undefined) return;
  const { files, pod, before, after } = keystoneAuth;
  for (const { key, reach, serverId, nodeName } of masters)
    phaseStep(
      `${instance}-${key}`,
      "keystone-auth",
      {
        reach,
        target: serverId,
        data: { node_name: nodeName, files: fileLines(files), pod: pod.content, before, after },
      },
      opts,
    );
}
