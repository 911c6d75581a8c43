import { randomBytes } from "node:crypto";
import { endpoint } from "../../components/base/net/cidr";
import {
  parseAccess,
  renderAccessManifest,
  renderKubeconfig,
  serviceAccountData,
  type ClusterAccess,
} from "../../components/render/access";
import { renderHaproxyConfig } from "../../components/render/haproxy-config";
import { renderKeepalivedConfig } from "../../components/render/keepalived-config";
import {
  renderCniManifest,
  renderInitConfig,
  renderJoinConfig,
} from "../../components/render/kubeadm-config";
import { draining } from "../../components/deploy/kubeadm/member";
import { labelValue } from "../../components/kube/cluster/label-value";
import { KUBELET_MINORS_BEHIND } from "../../components/kube/cluster/version-skew";
import { preparation, type NodeData } from "../../components/render/preparation";
import { noProxyList, proxyUrls } from "../../components/render/site-proxy";
import type { ClusterPlan } from "../../components/plan/kubeadm/model";
import type { Host, Ssh } from "./ssh";

/** The program's scripts for one cluster, each with the data that the program gives it. */
export class Scripts {
  /** Of the load balancers. */
  readonly #password = randomBytes(4).toString("hex");

  constructor(
    readonly ssh: Ssh,
    readonly cluster: ClusterPlan,
  ) {}

  async prepare(host: Host, node: NodeData): Promise<Host> {
    await this.ssh.script(host, "prepare-node.sh", preparation(this.cluster, node));
    return host;
  }

  /** @param virtualRouterId of keepalived */
  async balance(
    host: Host,
    virtualIp: string,
    virtualRouterId: number,
    masters: readonly NodeData[],
  ): Promise<Host> {
    const { api } = this.cluster;
    await this.ssh.script(host, "load-balancer.sh", {
      address: host.address,
      haproxy_config: renderHaproxyConfig({ apiPort: api.port, masters }),
      keepalived_config: renderKeepalivedConfig({
        virtualRouterId,
        password: this.#password,
        virtualIp,
        address: host.address,
        addresses: masters.map(({ address }) => address),
      }),
      ...proxyUrls(this.cluster),
      no_proxy_list: noProxyList(this.cluster, host.address),
    });
    return host;
  }

  /** @param config of kubeadm */
  async init(host: Host, config: string, apiAddress: string): Promise<Host> {
    const { api, kubernetesVersion } = this.cluster;
    await this.ssh.script(host, "init-master.sh", {
      kubernetes_version: kubernetesVersion ?? "",
      kubeadm_config: config,
      access_manifest: renderAccessManifest(),
      api_endpoint: api.kind === "master" ? "" : endpoint(apiAddress, api.port),
      // the clusters of the benchmarks have neither a cloud provider nor encryption
      provider_id: "",
      encryption_config: "",
    });
    return host;
  }

  initConfig({ name, address }: NodeData, apiAddress: string): string {
    return renderInitConfig(this.cluster, { nodeName: name, nodeAddress: address, apiAddress });
  }

  installCni(host: Host, apiAddress: string): Promise<unknown> {
    const cni_manifest = renderCniManifest(this.cluster, apiAddress);
    return this.ssh.script(host, "install-cni.sh", { cni_manifest });
  }

  async readAccess(host: Host): Promise<ClusterAccess> {
    return parseAccess(await this.ssh.script(host, "read-access.sh", {}));
  }

  readBearerToken(host: Host): Promise<string> {
    return this.ssh.script(host, "service-account.sh", { ...serviceAccountData(), rotation: "" });
  }

  /** @returns a bootstrap token. @param ofMaster for a master: what the others have; else empty */
  async createToken(
    host: Host,
    nodeName: string,
    ofMaster: { certificateKey: string; config: string },
  ): Promise<string> {
    const { certificateKey: certificate_key, config: kubeadm_config } = ofMaster;
    const data = { node_name: nodeName, certificate_key, kubeadm_config };
    return (await this.ssh.script(host, "create-join-token.sh", data)).trim();
  }

  /** @param config that the cluster was made with */
  join(
    host: Host,
    { name, role, address }: NodeData,
    to: { apiAddress: string; token: string; access: ClusterAccess; config: string },
  ): Promise<unknown> {
    const { api, vimName } = this.cluster;
    const { apiAddress, token, access, config } = to;
    const certificateKey = role === "master" ? access.certificateKey : undefined;
    return this.ssh.script(host, "join-node.sh", {
      node_name: name,
      node_address: address,
      join_config: renderJoinConfig(this.cluster, {
        nodeName: name,
        nodeAddress: address,
        apiAddress,
        token,
        caCertHash: access.caCertHash,
        certificateKey,
      }),
      join_kubeconfig: renderKubeconfig(vimName, `https://${endpoint(apiAddress, api.port)}`, access, token),
      cluster_config: role === "master" ? config : "",
      certificate_key: certificateKey ?? "",
      encryption_config: "",
      kubelet_minors_behind: String(KUBELET_MINORS_BEHIND),
    });
  }

  /** Waits until a node is Ready. @param host a master that is alive */
  ready(host: Host, nodeName: string, token: string): Promise<unknown> {
    return this.ssh.script(host, "node-ready.sh", { node_name: nodeName, join_token: token });
  }

  /** Lets a node leave. @param host a master that is alive. @param own of the node */
  async leave(host: Host, own: Host, node: NodeData): Promise<unknown> {
    const data = {
      node_name: node.name,
      node_address: node.address,
      node_role: node.role,
      ...draining(this.cluster),
    };
    if (node.role === "master") {
      await this.ssh.script(host, "membership.sh", data, "drain");
      await this.ssh.script(own, "hand-over.sh", {}, "delete");
    }
    return this.ssh.script(host, "membership.sh", data, "delete");
  }

  /** @param host a master that is alive. @param zone of the node's server. @param config of a sole master's kubeadm */
  label(host: Host, nodeName: string, zone: string, config: string): Promise<unknown> {
    const data = {
      ...{ node_name: nodeName, node_zone: labelValue(zone), kubeadm_config: config },
      ...{ node_labels: "", node_taints: "" },
    };
    return this.ssh.script(host, "node-labels.sh", data);
  }
}
