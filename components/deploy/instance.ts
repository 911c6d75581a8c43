import { ServerGroup } from "@pulumi/openstack/compute/serverGroup";
import * as pulumi from "@pulumi/pulumi";
import { printable } from "../base/printable";
import { digest } from "../kube/objects/checksum";
import { LATE_KUBECONFIG } from "../kube/access/late-kubeconfig";
import { cloudAccess, type CloudAccess } from "../openstack/clouds";
import { own } from "../base/own";
import { credentialOf } from "../plan/credential";
import {
  isWorkload,
  type InstancePlan,
  type KubeadmPlan,
  type ServersPlan,
  type Vim,
  type WorkloadPlan,
} from "../plan/model";
import { sshKeyPair } from "../remote/key-pair";
import { attributeValues } from "./attributes";
import { sendCredentials } from "./credentials-receiver";
import { foreignCluster, type KubeCluster } from "./kube-cluster";
import { KubeadmCluster } from "./kubeadm/kubeadm-cluster";
import { retireKeys } from "./kubeadm/login-key";
import { Cnf, type CnfArgs } from "./objects/cnf";
import type { AttributeValues } from "./objects/fill";
import { stackIdentity } from "./objects/ownership";
import type { CloudCredential } from "../render/cloud-config";
import { applicationCredential, secretContent } from "./openstack/application-credential";
import { Offer } from "./openstack/offer";
import { withRelease } from "./openstack/provider-release";
import { makeServers } from "./servers";
import { workloadCluster } from "./workload-cluster";
import { VNF } from "./steps";
import type { VnfParts } from "./outputs";

/** Kubeconfigs of VIMs of other stacks, by the instance name of the CNF that is deployed there; secret. */
type OtherVims = ReadonlyMap<string, pulumi.Output<string>>;

/** The cloud of an instance, with data that were read there and from other stacks. */
export interface VnfContext {
  readonly vims?: OtherVims;
  readonly offer?: Offer;
  /** Roles for credentials whose settings name none. @default all roles that the user has in the project */
  readonly credentialRoles?: readonly string[] | undefined;
  /** Returns the access to the instance's cloud. @default that of the stack config */
  readonly access?: (() => CloudAccess) | undefined;
  /** Config of the cloud's provider, in the form of the stack config. @default that of the stack config */
  readonly cloudConfig?: Readonly<Record<string, string>> | undefined;
  /** Provider of the cloud. @default that of the parent, or of the stack config */
  readonly provider?: pulumi.ProviderResource | undefined;
}

export interface VnfArgs extends VnfContext {
  readonly plan: InstancePlan;
  /** The instances of this stack that were created before this one, by name. */
  readonly made: Readonly<Record<string, Vnf>>;
  /** Identity of the stack: see stackIdentity. */
  readonly identity: pulumi.Output<string>;
}

/** One VNF instance: its servers, the cluster they become, or its Kubernetes objects. */
export class Vnf extends pulumi.ComponentResource implements VnfParts {
  readonly cloud: VnfParts["cloud"];
  readonly nodes: VnfParts["nodes"];
  readonly virtualIps: VnfParts["virtualIps"];
  readonly cluster: VnfParts["cluster"];
  readonly cnf: VnfParts["cnf"];
  readonly vim: VnfParts["vim"];
  /** Cloud credential of the cluster's controllers, if vnfm creates one; secret. */
  readonly credential: pulumi.Output<CloudCredential> | undefined;

  constructor(args: VnfArgs, opts?: pulumi.ComponentResourceOptions) {
    const { plan, access = stackAccess, provider } = args;
    const ofCloud = provider && { providers: [provider] };
    super(VNF, plan.name, {}, withRelease(pulumi.mergeOptions(opts, ofCloud)));
    const child = { parent: this };
    this.cloud = plan.cloud;
    for (const warning of plan.warnings) void pulumi.log.warn(printable(warning), this);
    const credential = credentialOf(plan);
    this.credential =
      credential &&
      applicationCredential(
        plan.name,
        { ...(args.credentialRoles && { roles: args.credentialRoles }), ...credential },
        access,
        child,
      );
    if (isWorkload(plan)) {
      this.nodes = {};
      this.virtualIps = {};
      const on = placement(plan.name, plan.on, args, child);
      const groups = serverGroups(plan, child);
      const secrets = this.#secrets(plan, args, child);
      const cnf = makeCnf(plan, on, args, { secrets, dependsOn: groups }, child);
      this.cnf = cnf;
      this.vim = plan.on;
      const { name, cluster, readyTimeout: timeout } = plan;
      if (cluster !== undefined) {
        const clusterArgs = { cluster, plan: plan.cnf, cnf, timeout, management: on };
        this.cluster = workloadCluster(name, clusterArgs, child);
        const sent = { ...child, dependsOn: [cnf] };
        if (plan.credentialsReceiver !== undefined)
          sendCredentials(name, plan.credentialsReceiver, this.cluster, sent);
      }
    } else {
      const { nodes, virtualIps, cluster } = makeNodes(plan, args, child);
      this.nodes = nodes;
      this.virtualIps = virtualIps;
      this.cluster = cluster;
    }
    this.registerOutputs({});
  }

  /** The contents of a CNF's Secrets with a credential, its own or that of an instance created before. */
  #secrets(
    { cloudSecrets = [] }: WorkloadPlan,
    { plan, made }: VnfArgs,
    child: pulumi.InvokeOptions,
  ): Secrets {
    const entries = cloudSecrets.map((secret) => {
      const { key, credentialOf: instance } = secret;
      const owner = instance === plan.name ? this : own(made, instance);
      if (owner?.credential === undefined) throw new Error(`the plan has no credential of ${instance}`);
      return [key, secretContent(owner.credential, secret, child)] as const;
    });
    return Object.fromEntries(entries);
  }
}

/** Contents of Secrets that are known only during the run, by the plan's keys. */
type Secrets = NonNullable<CnfArgs["secrets"]>;

/**
 * Creates the VNF instances of a stack.
 * @param contextOf the cloud of an instance. @default that of the stack config
 * @returns them by instance name
 */
export function makeVnfs(
  plans: readonly InstancePlan[],
  contextOf: (plan: InstancePlan) => VnfContext | undefined = () => undefined,
): Record<string, Vnf> {
  const made: Record<string, Vnf> = {};
  const identity = stackIdentity();
  for (const plan of plans) made[plan.name] = new Vnf({ plan, made, identity, ...contextOf(plan) });
  return made;
}

/** Returns the access to the cloud of the stack config. */
const stackAccess = (): CloudAccess => cloudAccess(pulumi.runtime.allConfig());

/** Creates the servers of an instance, and their kubeadm cluster if they have one. */
function makeNodes(
  plan: ServersPlan | KubeadmPlan,
  {
    offer = new Offer(),
    identity,
    cloudConfig = pulumi.runtime.allConfig(),
  }: Pick<VnfArgs, "offer" | "identity" | "cloudConfig">,
  child: pulumi.CustomResourceOptions,
) {
  const { name } = plan;
  const rotation = plan.kind === "kubeadm" ? plan.cluster.rotation.sshKey : undefined;
  const key = sshKeyPair(`${name}-key`, child, rotation);
  const ofProvider = Object.entries(cloudConfig).filter(([setting]) => setting.startsWith("openstack:"));
  const args = { key, identity, cloudConfig: Object.fromEntries(ofProvider) };
  const servers = makeServers(plan, offer, args, child);
  const { nodes, virtualIps } = servers;
  if (plan.kind === "servers") return { nodes, virtualIps, cluster: undefined };
  const clusterArgs = { cluster: plan.cluster, ...servers, key };
  const cluster = new KubeadmCluster(name, clusterArgs, child);
  retireKeys(name, clusterArgs, { ...child, dependsOn: [cluster] });
  return { nodes, virtualIps, cluster };
}

/** Creates the server groups that machines of the instance's objects name. */
function serverGroups(plan: WorkloadPlan, child: pulumi.CustomResourceOptions): pulumi.Resource[] {
  const planned = plan.kind === "template" ? plan.serverGroups : [];
  return planned.map(
    ({ name, policy }) => new ServerGroup(`${name}-servers`, { name, policies: [policy] }, child),
  );
}

/** Digests of the Secrets whose content is known only during the run, by their placeholders in the plan. */
function contentDigests({ cloudSecrets = [] }: WorkloadPlan, secrets: Secrets): AttributeValues {
  return new Map(
    cloudSecrets.flatMap(({ key, mark }) => {
      const content = secrets[key];
      if (mark === undefined || content === undefined) return [];
      // the content contains a random secret, so that it cannot be guessed from the digest
      const hash = pulumi.unsecret(content.apply((contentFiles) => digest(contentFiles).slice(0, 16)));
      return [[mark, hash] as const];
    }),
  );
}

/**
 * Names in the cloud that differ from those of all other stacks, by their placeholders in the plan.
 * @param identity of the stack: see stackIdentity
 */
function uniqueNames(
  { uniqueNames: names = {} }: WorkloadPlan,
  identity: pulumi.Output<string>,
): AttributeValues {
  return new Map(
    Object.entries(names).map(([mark, name]) => [
      mark,
      identity.apply((id) => `${name}-${digest(id).slice(0, 8)}`),
    ]),
  );
}

/** Creates the objects of a CNF after the resources that make the cluster usable; they are deleted before these. */
function makeCnf(
  plan: WorkloadPlan,
  { kubeconfig, provider, usable, lifetime }: KubeCluster,
  { made, identity }: VnfArgs,
  { secrets, dependsOn }: { readonly secrets: Secrets; readonly dependsOn: readonly pulumi.Resource[] },
  child: pulumi.ComponentResourceOptions,
): Cnf {
  const { name, cnf, readyTimeout, protectForeignObjects, settingsOf, after } = plan;
  const before = after.flatMap((other) => {
    const vnf = own(made, other);
    return vnf?.cnf ?? vnf ?? [];
  });
  const attributes = new Map([
    ...attributeValues(cnf.attributes ?? [], made),
    ...contentDigests(plan, secrets),
    ...uniqueNames(plan, identity),
  ]);
  return new Cnf(
    name,
    {
      ...{ plan: cnf, identity, readyTimeout, protectForeignObjects, settingsOf },
      ...{ kubeconfig, lifetime, secrets, attributes },
    },
    { ...child, provider, dependsOn: [...usable, ...before, ...dependsOn] },
  );
}

/** The target cluster of a CNF. */
function placement(
  name: string,
  vim: Vim,
  { made, vims }: VnfArgs,
  child: pulumi.CustomResourceOptions,
): KubeCluster {
  switch (vim.kind) {
    case "vnf": {
      const cluster = own(made, vim.vnf)?.cluster;
      if (cluster === undefined) throw new Error(`the plan creates ${name} before its VIM ${vim.vnf}`);
      return cluster;
    }
    case "stack": {
      const kubeconfig = vims?.get(name);
      if (kubeconfig === undefined) throw new Error(`the VIM of ${name} was not read`);
      return foreignCluster(name, kubeconfig, "server", child);
    }
    case "kubeconfig":
      return foreignCluster(name, settingsKubeconfig(vim), "name", child);
  }
}

/**
 * The kubeconfig in the settings of a CNF. A preview may not know it, such as that of a cluster which the same run
 * creates.
 */
function settingsKubeconfig({ kubeconfig }: Extract<Vim, { kind: "kubeconfig" }>): pulumi.Output<string> {
  const text = kubeconfig.reveal();
  return pulumi.secret(text === LATE_KUBECONFIG ? pulumi.output(pulumi.unknown as never) : text);
}
