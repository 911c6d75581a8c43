import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import { apiAccess } from "../kube/access/api-access";
import { kubeconfigSecret } from "../kube/objects/cluster-api";
import { foreignKubeconfig } from "../kube/access/foreign-kubeconfig";
import { annotated, text } from "../kube/objects/object";
import { WAIT_FOR } from "../kube/order/readiness";
import type { CnfPlan } from "../plan/workload/model";
import type { WorkloadCluster } from "../plan/cluster-api/workload-cluster";
import { accessObjects, caCertHash, SERVICE_ACCOUNT, vimConnectionInfo } from "../render/access";
import type { KubeCluster, OwnCluster } from "./kube-cluster";
import { onceMade } from "./after";
import { awaitReady } from "./objects/await-ready";
import type { Cnf } from "./objects/cnf";
import { KubeResource } from "./objects/kube-resource";
import { clusterProvider } from "./provider";
import { withoutStackTrace } from "./run-error";

export interface WorkloadClusterArgs {
  readonly cluster: WorkloadCluster;
  readonly plan: CnfPlan;
  /** The CNF that contains the Cluster object and all objects to which this refers. */
  readonly cnf: Cnf;
  /** Time limit for the first control plane machine to answer, such as `10m`. */
  readonly timeout: string;
  /** The management cluster. */
  readonly management: KubeCluster;
}

/**
 * A workload cluster of Cluster API as a VIM. Objects can be created on it as soon as its API answers: its nodes become
 * Ready, and the cluster Available, only with a CNI, which is one of these objects. The kubeconfig is read from the
 * Secret of Cluster API on every run, because Cluster API renews the certificate in it, and is rebuilt from known
 * fields. The token of vimConnectionInfo comes from a service account on the cluster.
 * @param name of the instance
 */
export function workloadCluster(
  name: string,
  { cluster, plan, cnf, timeout, management }: WorkloadClusterArgs,
  child: pulumi.CustomResourceOptions,
): OwnCluster {
  const resource = cnf.resources[cluster.key];
  const object = plan.objects.find(({ key }) => key === cluster.key)?.object;
  if (resource === undefined || object === undefined)
    throw new Error(`the CNF ${name} has no ${cluster.key}`);
  const answers = awaitReady(
    `${name}-api`,
    { object, resource, until: "initialized", kubeconfig: management.kubeconfig, timeout },
    child,
  );
  const secret = `${cluster.namespace}/${kubeconfigSecret(cluster.name)}`;
  const managed = { ...child, provider: management.provider };
  const admin = readSecret(`${name}-kubeconfig`, onceMade(answers, secret), managed);
  const owner = `vnfm:vnfs.${name}: the kubeconfig in Secret ${secret}`;
  const kubeconfig = pulumi.secret(admin.apply((data) => tenantKubeconfig(data, owner)));
  const provider = clusterProvider(`${name}-cluster`, { kubeconfig, identity: "name" }, child);
  // deleted with the cluster, which may no longer answer
  const onIt = { ...child, provider, deletedWith: resource };
  const token = serviceAccountToken(name, resource, onIt);
  const api = kubeconfig.apply(apiAccess);
  const apiUrl = pulumi.unsecret(api.apply((access) => text(access.cluster["server"]) ?? ""));
  const ca = api.apply((access) => text(access.cluster["certificate-authority-data"]) ?? "");
  return {
    kubeconfig,
    provider,
    usable: [answers],
    lifetime: resource,
    vimName: cluster.vimName,
    kubernetesVersion: cluster.kubernetesVersion,
    podCidrs: cluster.podCidrs,
    serviceCidrs: cluster.serviceCidrs,
    apiUrl,
    vimConnectionInfo: pulumi.secret(
      pulumi
        .all([apiUrl, ca, token])
        .apply(([url, certificate, bearer]) =>
          vimConnectionInfo(
            url,
            { caCertHash: withoutStackTrace(() => caCertHash(certificate, owner)) },
            bearer,
          ),
        ),
    ),
  };
}

/**
 * The kubeconfig in the Secret of Cluster API, rebuilt by foreignKubeconfig, because users who may write Secrets on the
 * management cluster can change it.
 * @throws RunError with all rejected fields
 */
export function tenantKubeconfig({ value }: Readonly<Record<string, string>>, owner: string): string {
  return withoutStackTrace(() => foreignKubeconfig(value, owner));
}

/** Creates the manager's service account on the cluster. @returns its token; secret */
function serviceAccountToken(
  name: string,
  lifetime: pulumi.Resource,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> {
  const [account, secret, binding] = accessObjects();
  const make = (object: typeof account, dependsOn: pulumi.Resource[]) =>
    new KubeResource(
      `${name}-access-${object.kind.toLowerCase()}`,
      { object, secret: object === secret, retain: false, timeout: "5m", lifetime },
      { ...opts, dependsOn },
    );
  const itself = make(account, []);
  make(binding, [itself]);
  const made = make(annotated(secret, WAIT_FOR, "jsonpath={.data.token}"), [itself]);
  const id = onceMade(made, `${SERVICE_ACCOUNT.namespace}/${SERVICE_ACCOUNT.secret}`);
  return readSecret(`${name}-access-token`, id, opts).apply(({ token = "" }) => token);
}

/**
 * The decoded content of a Secret that the stack did not create; secret.
 * @param id `<namespace>/<name>`
 */
function readSecret(
  name: string,
  id: pulumi.Output<string>,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<Readonly<Record<string, string>>> {
  const read = Secret.get(name, id, { ...opts, version: getVersion(), additionalSecretOutputs: ["data"] });
  return pulumi.secret(
    read.data.apply((data) =>
      Object.fromEntries(
        Object.entries(data ?? {}).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
      ),
    ),
  );
}
