import { Fault } from "../fault";
import { toYaml, yamlData } from "../../components/base/yaml/yaml";
import { apiAccess } from "../../components/kube/access/api-access";
import { KubeApi } from "../../components/kube/client/kube-api";
import { fields, text } from "../../components/kube/objects/object";
import { SERVICE_ACCOUNT } from "../../components/render/access";

/** Shortest time for which a Kubernetes API makes a token, in seconds. */
const SHORTEST = 600;

const ACCOUNT_PATH = `/api/v1/namespaces/${SERVICE_ACCOUNT.namespace}/serviceaccounts/${SERVICE_ACCOUNT.name}`;

/**
 * Makes a kubeconfig whose token ends by itself, by the TokenRequest API for vnfm's service account on the cluster.
 *
 * @param kubeconfig lasting one of the cluster, with one context
 * @param vnf instance of the cluster, for errors
 * @param seconds until the token ends
 * @returns the kubeconfig, and the time at which the token ends, which the cluster may have made earlier
 * @throws Fault if the time is too short, or the cluster makes no token
 */
export async function expiringKubeconfig(
  kubeconfig: string,
  vnf: string,
  seconds: number,
): Promise<{ readonly kubeconfig: string; readonly ends: string }> {
  if (seconds < SHORTEST) throw new Fault("--expires: Kubernetes makes no token of less than 10m");
  const request = {
    ...{ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" },
    spec: { expirationSeconds: seconds },
  };
  const answer: unknown = await new KubeApi(apiAccess(kubeconfig), AbortSignal.timeout(60_000))
    .post(`${ACCOUNT_PATH}/token`, request)
    .catch((error: Error) => {
      throw new Fault(`${vnf}: no token is made for the kubeconfig: ${error.message}`);
    });
  const { token, expirationTimestamp: ends } = fields(fields(answer)["status"]);
  if (typeof token !== "string" || typeof ends !== "string")
    throw new Fault(`${vnf}: no token is made for the kubeconfig: the answer of the Kubernetes API has none`);
  return { kubeconfig: withToken(kubeconfig, token), ends };
}

/** Returns a kubeconfig of one context with a token in place of its user's credentials. */
function withToken(kubeconfig: string, token: string): string {
  const document = fields(yamlData(kubeconfig, "the kubeconfig"));
  const context = fields((document["contexts"] as unknown[])[0]);
  const user = text(fields(context["context"])["user"]);
  return toYaml({ ...document, users: [{ name: user, user: { token } }] });
}
