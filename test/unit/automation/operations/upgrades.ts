import type { Vnfs } from "../../../../automation/stack/stack-config";
import { planUpgrade } from "../../../../automation/operations/upgrade";
import type { UpgradeRequest } from "../../../../automation/operations/upgrade-check";
import { haClusterVnf, kubeadmCluster } from "../../../support/configs";
import { inRepository } from "../in-repository";

export const PRESENT = "v1.33.0";
export const TO = "v1.34.4";
export const IMAGES = { masterNode: `debian-12-kube-${TO}`, workerNode: `debian-12-kube-${TO}` };
export const TOKEN = `${TO} debian-12-kube-${TO}`;
export const MASTERS = ["masterNode-1", "masterNode-2", "masterNode-3"];
export const WORKERS = ["workerNode-1", "workerNode-2", "workerNode-3"];

/** Returns a cluster with three control-plane nodes and three workers. */
export function vnfs(changes: object = {}, installation: object = {}): Vnfs {
  const additionalParams = kubeadmCluster({ kubernetes_version: PRESENT, ...installation });
  return { v: haClusterVnf(3, 3, { additionalParams, ...changes }) } as unknown as Vnfs;
}

export function plan(from: Vnfs, request: Partial<UpgradeRequest> = {}, members = [...MASTERS, ...WORKERS]) {
  const whole = { to: TO, images: IMAGES, batch: 1, surge: 0, ...request };
  return planUpgrade(inRepository({ vnfs: from }), "v", whole, new Set(members), new Map());
}

export const runs = (...args: Parameters<typeof plan>) => plan(...args).map(({ what }) => what);
