import { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import type { Vnf } from "../deploy/instance";
import type { OwnCluster } from "../deploy/kube-cluster";
import { outputsOf, type VnfOutputs } from "../deploy/outputs";
import type { VimConnectionInfo } from "../render/access";
import type * as settings from "../settings/arguments";
import { Program, type Declared, type ComponentKind } from "./program";
import type { Arguments } from "./arguments";

/** Arguments of an instance on a cluster: `vim` is a component of the program, or has the form of the stack config. */
export type OnCluster<Written extends { readonly vim: unknown }> = Omit<Arguments<Written>, "vim"> & {
  readonly vim: Cluster | Exclude<Arguments<Written["vim"]>, string>;
};

export type ServersArgs = Arguments<settings.ServersVnf>;

export type KubernetesClusterArgs = Arguments<settings.ClusterVnf>;

export type CnfArgs = OnCluster<settings.Cnf>;

export type WorkloadClusterArgs = OnCluster<settings.WorkloadCluster>;

/**
 * Key of a component's arguments among its inputs. It is a symbol, because Pulumi gets only inputs with string keys,
 * and would write the arguments, which may contain secrets, into the state.
 */
const DECLARED = Symbol("declared");

interface Inputs {
  readonly [DECLARED]: Omit<Declared, "component">;
}

/** One VNF instance of a program. */
abstract class Instance extends pulumi.ComponentResource<Vnf> {
  /** The instance, in the form of the stack's output `vnfs`; contains no secret. */
  readonly vnf: pulumi.Output<pulumi.Unwrap<VnfOutputs>>;

  /** @param name name of the instance, which is part of the names of servers, networks and clusters */
  protected constructor(
    kind: ComponentKind,
    name: string,
    args: object,
    opts: pulumi.ComponentResourceOptions = {},
  ) {
    super(`vnfm:index:${kind}`, name, { [DECLARED]: { kind, name, args } }, withOptions(opts));
    this.vnf = this.made(outputsOf);
  }

  protected override initialize(inputs: Partial<Inputs>): Promise<Vnf> {
    const declared = inputs[DECLARED];
    if (declared === undefined) throw new Error("the component has no arguments");
    return Program.current().make({ ...declared, component: this });
  }

  /** Waits until the component is planned. @throws pulumi.RunError with the errors in its arguments */
  async planned(): Promise<void> {
    await this.getData();
  }

  /** Reads a value of the created VNF, once the arguments of all components of the program are checked. */
  protected made<T>(read: (vnf: Vnf) => T): pulumi.Output<pulumi.Unwrap<T>> {
    return pulumi.output<T>(this.getData().then(read));
  }
}

/** A Kubernetes cluster, which can be the VIM of other instances. */
export abstract class Cluster extends Instance {
  /** Kubeconfig of vnfm's ServiceAccount; secret. Known once the API answers. */
  readonly kubeconfig: pulumi.Output<string>;
  /** The cluster as a VIM, in the form of SOL003 VimConnectionInfo; secret. */
  readonly vimConnectionInfo: pulumi.Output<VimConnectionInfo>;
  /** URL of its API server. */
  readonly apiUrl: pulumi.Output<string>;
  /** Name of the instance. */
  readonly instance: string;
  #provider: Provider | undefined;

  protected constructor(
    kind: ComponentKind,
    name: string,
    args: object,
    opts?: pulumi.ComponentResourceOptions,
  ) {
    super(kind, name, args, opts);
    this.instance = name;
    this.kubeconfig = pulumi.secret(this.made((vnf) => clusterOf(vnf).kubeconfig));
    this.vimConnectionInfo = pulumi.secret(this.made((vnf) => clusterOf(vnf).vimConnectionInfo));
    this.apiUrl = this.made((vnf) => clusterOf(vnf).apiUrl);
  }

  /** A provider for objects of your own on the cluster. */
  get provider(): Provider {
    return (this.#provider ??= new Provider(`${this.instance}-objects`, { kubeconfig: this.kubeconfig }));
  }
}

/** Servers of a VNF. */
export class Servers extends Instance {
  constructor(name: string, args: ServersArgs, opts?: pulumi.ComponentResourceOptions) {
    super("Servers", name, args, opts);
  }
}

/** Servers that become a Kubernetes cluster by kubeadm. */
export class KubernetesCluster extends Cluster {
  constructor(name: string, args: KubernetesClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("KubernetesCluster", name, args, opts);
  }
}

/** Kubernetes objects of a CNF on a cluster. */
export class Cnf extends Instance {
  constructor(name: string, args: CnfArgs, opts?: pulumi.ComponentResourceOptions) {
    super("Cnf", name, onCluster(args), opts);
  }
}

/** A workload cluster of Cluster API. */
export class WorkloadCluster extends Cluster {
  constructor(name: string, args: WorkloadClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("WorkloadCluster", name, onCluster(args), opts);
  }
}

/** Replaces a cluster component in `vim` by its name. */
function onCluster(args: object): object {
  const { vim } = args as { readonly vim?: unknown };
  return vim instanceof Cluster ? { ...args, vim: vim.instance } : args;
}

function clusterOf({ cluster }: Vnf): OwnCluster {
  if (cluster === undefined) throw new Error("the plan makes no cluster");
  return cluster;
}

/** Returns the options of a component that apply to all its resources. */
function withOptions({
  dependsOn,
  ...opts
}: pulumi.ComponentResourceOptions): pulumi.ComponentResourceOptions {
  if (dependsOn === undefined) return opts;
  const inOrder: pulumi.ResourceTransformation = (resource) => ({
    props: resource.props,
    opts: pulumi.mergeOptions(resource.opts, { dependsOn }),
  });
  return pulumi.mergeOptions(opts, { transformations: [inOrder] });
}
