import { parseVersion } from "../../kube/cluster/version";
import type { ClusterSettings } from "../../settings/model";
import { toYaml } from "../../base/yaml/yaml";
import { onFirstMachine, type Additions } from "./machine-files";

const MANIFEST = "/etc/kubernetes/manifests/kube-vip.yaml";
const ADMIN = "/etc/kubernetes/admin.conf";
/**
 * The kubeconfig for kube-vip during `kubeadm init`. Since 1.29 the user of admin.conf has no rights before kubeadm has
 * bound its role, for which the API is needed.
 */
const SUPER_ADMIN = "/etc/kubernetes/super-admin.conf";

/**
 * A static pod of kube-vip on each machine of the control plane: the leader has the address of the API and announces it
 * by ARP. https://kube-vip.io/docs/installation/static/
 * @returns nothing for a cluster without kube-vip
 */
export function kubeVip({ apiServer, kubernetesVersion }: ClusterSettings): Additions {
  const { kubeVip: vipSettings, fixedIp: address, port } = apiServer;
  if (vipSettings === undefined || address === undefined) return { files: [], before: [], after: [] };
  const content = toYaml(staticPod(vipSettings.image, address, port));
  const { minor = 0 } = parseVersion(kubernetesVersion) ?? {};
  const replace = (from: string, to: string) => `sed -i 's|path: ${from}$|path: ${to}|' ${MANIFEST}`;
  return {
    files: [{ path: MANIFEST, permissions: "0600", content }],
    // only the first machine has super-admin.conf
    before: minor < 29 ? [] : [onFirstMachine(replace(ADMIN, SUPER_ADMIN))],
    after: minor < 29 ? [] : [onFirstMachine(replace(SUPER_ADMIN, ADMIN))],
  };
}

function staticPod(image: string, address: string, port: number): object {
  const settings: Record<string, string> = {
    ...{ address, port: String(port), vip_subnet: "32", vip_arp: "true" },
    ...{ cp_enable: "true", cp_namespace: "kube-system", svc_enable: "false" },
    // in seconds; another machine takes the address over if the leader has not renewed its lease for the first of these
    ...{ vip_leaderelection: "true", vip_leasename: "kube-vip-control-plane" },
    ...{ vip_leaseduration: "15", vip_renewdeadline: "10", vip_retryperiod: "2" },
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "kube-vip", namespace: "kube-system" },
    spec: {
      hostNetwork: true,
      priorityClassName: "system-node-critical",
      // the API server of the machine, by a name in its certificate
      hostAliases: [{ ip: "127.0.0.1", hostnames: ["kubernetes"] }],
      containers: [
        {
          ...{ name: "kube-vip", image, imagePullPolicy: "IfNotPresent" },
          // metrics are not used
          args: ["manager", "--prometheusHTTPServer="],
          env: [
            ...Object.entries(settings).map(([name, value]) => ({ name, value })),
            { name: "vip_nodename", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
          ],
          securityContext: { capabilities: { add: ["NET_ADMIN", "NET_RAW"], drop: ["ALL"] } },
          volumeMounts: [{ name: "kubeconfig", mountPath: ADMIN, readOnly: true }],
        },
      ],
      volumes: [{ name: "kubeconfig", hostPath: { path: ADMIN, type: "File" } }],
    },
  };
}
