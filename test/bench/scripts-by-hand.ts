import { randomBytes } from "node:crypto";
import { endpoint } from "../../components/base/net/cidr";
import {
  parseAccess,
  renderAccessManifest,
  serviceAccountData,
  type ClusterAccess,
} from "../../components/render/access";
import { ADMISSION, admissionData } from "../../components/remote/admission";
import { renderCniManifest, renderInitConfig } from "../../components/render/kubeadm-config";
import { loadBalancerData } from "../../components/render/load-balancer-data";
import { joinData, labelData, membershipData } from "../../components/render/node-data";
import { preparation, type NodeData } from "../../components/render/preparation";
import type { ClusterPlan } from "../../components/plan/kubeadm/model";
import type { Host, Ssh } from "./ssh";

/** Runs vnfm's scripts for one cluster, each with the same data as by vnfm. */
export class Scripts {
  /** Password of keepalived. */
  readonly #secret = randomBytes(4).toString("hex");

  constructor(
    readonly ssh: Ssh,
    readonly cluster: ClusterPlan,
  ) {}

  async prepare(host: Host, node: NodeData): Promise<Host> {
    await this.ssh.script(host, "prepare-node.sh", preparation(this.cluster, node));
    return host;
  }

  /** @param virtualRouterId virtual router ID of keepalived */
  async balance(
    host: Host,
    virtualIp: string,
    virtualRouterId: number,
    masters: readonly NodeData[],
  ): Promise<Host> {
    const { address } = host;
    const addresses = masters.map((master) => master.address);
    await this.ssh.script(
      host,
      "load-balancer.sh",
      loadBalancerData(this.cluster, {
        ...{ address, addresses, virtualIp, virtualRouterId, masters },
        secret: this.#secret,
      }),
    );
    return host;
  }

  /** @param config configuration of kubeadm */
  async init(host: Host, config: string, apiAddress: string): Promise<Host> {
    const { api, kubernetesVersion } = this.cluster;
    await this.ssh.script(host, "init-master.sh", {
      kubernetes_version: kubernetesVersion ?? "",
      kubeadm_config: config,
      access_manifest: renderAccessManifest(),
      api_endpoint: api.kind === "master" ? "" : endpoint(apiAddress, api.port),
      // clusters of the benchmarks have neither a cloud provider nor encryption at rest
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

  /** @param master a control-plane node of the cluster. @param config configuration of `kubeadm init` */
  async join(
    host: Host,
    master: Host,
    node: NodeData,
    { config, ...to }: { apiAddress: string; access: ClusterAccess; config: string },
  ): Promise<unknown> {
    const ofMaster = node.role === "master" && { certificateKey: to.access.certificateKey ?? "", config };
    const data = joinData(this.cluster, node, { certificateKey: "", config: "", ...to, ...ofMaster });
    const ofAdmission = admissionData(data);
    const admission = (await this.ssh.script(master, ADMISSION, ofAdmission)).trimEnd();
    await this.ssh.script(host, "join-node.sh", { ...data, admission });
    return this.ssh.script(master, ADMISSION, ofAdmission, "delete");
  }

  /** Waits until a node is Ready. @param host a running control-plane node */
  ready(host: Host, nodeName: string): Promise<unknown> {
    return this.ssh.script(host, "node-ready.sh", { node_name: nodeName });
  }

  /** Removes a node from the cluster. @param host a running control-plane node. @param own host of the node itself */
  async leave(host: Host, own: Host, node: NodeData): Promise<unknown> {
    const data = membershipData(this.cluster, node);
    if (node.role === "master") {
      await this.ssh.script(host, "membership.sh", data, "drain");
      await this.ssh.script(own, "hand-over.sh", {}, "delete");
    }
    return this.ssh.script(host, "membership.sh", data, "delete");
  }

  /** @param host a running control-plane node. @param config kubeadm's configuration, for a single control plane */
  label(host: Host, nodeName: string, zone: string, config: string): Promise<unknown> {
    const data = labelData(nodeName, { role: "worker", servers: [] }, { zone, config });
    return this.ssh.script(host, "node-labels.sh", data);
  }
}
