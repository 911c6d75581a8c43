import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import { apiAccess } from "../kube/api-access";
import { kubeconfigSecret } from "../kube/cluster-api";
import { annotated, text } from "../kube/object";
import type { WorkloadCluster } from "../plan/workload/workload-cluster";
import { accessObjects, caCertHash, SERVICE_ACCOUNT, vimConnectionInfo } from "../render/access";
import type { KubeCluster, OwnCluster } from "./kube-cluster";
import type { Cnf } from "./objects/cnf";
import { KubeResource } from "./objects/kube-resource";
import { clusterProvider } from "./provider";

export interface WorkloadClusterArgs {
  readonly cluster: WorkloadCluster;
  /** The Cluster object, and all that it names. */
  readonly cnf: Cnf;
  /** The cluster that Cluster API runs on. */
  readonly management: KubeCluster;
}

/**
 * A workload cluster of Cluster API as a VIM. Its kubeconfig is read on every run, as Cluster API renews the
 * certificate in it. A service account on the cluster gives the token of vimConnectionInfo.
 *
 * @param name of the instance
 */
export function workloadCluster(
  name: string,
  { cluster, cnf, management }: WorkloadClusterArgs,
  child: pulumi.CustomResourceOptions,
): OwnCluster {
  const [object, ready] = [cnf.resources[cluster.key], cnf.ready.get(cluster.key)];
  if (object === undefined || ready === undefined) throw new Error(`the CNF ${name} has no ${cluster.key}`);
  const { provider: ofManagement } = management;
  const id = after(ready, `${cluster.namespace}/${kubeconfigSecret(cluster.name)}`);
  const admin = readSecret(`${name}-kubeconfig`, id, { ...child, provider: ofManagement });
  const kubeconfig = pulumi.secret(admin.apply(({ value = "" }) => value));
  const provider = clusterProvider(`${name}-cluster`, { kubeconfig, identity: "name" }, child);
  // gone with the cluster, which may not answer any more
  const onIt = { ...child, provider, deletedWith: object };
  const token = serviceAccountToken(name, object, onIt);
  const api = kubeconfig.apply(apiAccess);
  const apiUrl = pulumi.unsecret(api.apply((access) => text(access.cluster["server"]) ?? ""));
  const ca = api.apply((access) => text(access.cluster["certificate-authority-data"]) ?? "");
  return {
    kubeconfig,
    provider,
    usable: [cnf],
    lifetime: object,
    vimName: cluster.vimName,
    apiUrl,
    vimConnectionInfo: pulumi.secret(
      pulumi
        .all([apiUrl, ca, token])
        .apply(([url, certificate, bearer]) =>
          vimConnectionInfo(url, { caCertHash: caCertHash(certificate) }, bearer),
        ),
    ),
  };
}

/** Makes the manager's service account on the cluster. @returns its token; secret */
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
  const made = make(annotated(secret, "pulumi.com/waitFor", "jsonpath={.data.token}"), [itself]);
  const id = after(made, `${SERVICE_ACCOUNT.namespace}/${SERVICE_ACCOUNT.secret}`);
  return readSecret(`${name}-access-token`, id, opts).apply(({ token = "" }) => token);
}

/** A text that is known once a resource is there: a preview before that reads nothing. */
function after(resource: pulumi.Resource, value: string): pulumi.Output<string> {
  return (resource as pulumi.CustomResource).id.apply(() => value);
}

/** The decoded content of a Secret that others write; secret. @param id `<namespace>/<name>` */
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
