import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { webCnf } from "./configs";

/**
 * Obstacles that prevent a Deployment from becoming ready: how to change the package's manifests, and the reason in the
 * error of `up`.
 */
export const OBSTACLES: Readonly<Record<string, { spoil: (files: string) => void; reason: RegExp }>> = {
  image: {
    spoil: (files) => edit(join(files, "deployment.yaml"), "nginx:1.27", "nginx:absent"),
    reason: /Pod web-\w+-\w+.*, container web: (ImagePullBackOff|ErrImagePull): .*nginx:absent/,
  },
  quota: {
    spoil: (files) => writeFileSync(join(files, "quota.yaml"), quota(1)),
    reason:
      /ReplicaSet web-\w+: FailedCreate: .*exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1/,
  },
  room: {
    spoil: (files) => edit(join(files, "deployment.yaml"), "cpu: 10m", 'cpu: "1000"'),
    reason: /Pod web-\w+-\w+.*: Unschedulable: 0\/2 nodes are available: .*Insufficient cpu/,
  },
  crash: {
    spoil: (files) =>
      edit(
        join(files, "deployment.yaml"),
        "image: nginx:1.27",
        'image: nginx:1.27\n          command: ["/bin/sh", "-c", "echo no database; exit 3"]',
      ),
    reason: /container web: \w+: it ended with exit code 3\n *\| no database/,
  },
  configmap: {
    spoil: (files) =>
      edit(join(files, "deployment.yaml"), "            name: web-page", "            name: absent"),
    reason: /Pod web-\w+-\w+.*: FailedMount: .*configmap "absent" not found/,
  },
};

/** Returns the web CNF, in a namespace with a ResourceQuota. */
export const limited = (namespace: string, folder: string, changes: object) =>
  webCnf(namespace, {
    package: folder,
    additionalParams: {
      namespace,
      "lcm-kubernetes-def-files": ["configmap", "deployment", "quota", "service"].map(
        (file) => `Files/kubernetes/${file}.yaml`,
      ),
    },
    ...changes,
  });

/** Returns a ResourceQuota that allows so many pods. */
export const quota = (pods: number) =>
  `{apiVersion: v1, kind: ResourceQuota, metadata: {name: few}, spec: {hard: {pods: "${pods}"}}}\n`;

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}
