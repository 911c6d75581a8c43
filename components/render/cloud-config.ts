import { toYaml } from "../base/yaml/yaml";
import type { PlannedCloudSecret } from "../plan/model";
import { CLOUD } from "../plan/cluster-api/capo";

/** An application credential, and the endpoint of its cloud. */
export interface CloudCredential {
  readonly authUrl: string;
  /** Undefined: the cloud has only one region. */
  readonly region: string | undefined;
  readonly id: string;
  readonly secret: string;
  /** Certificates of the cloud's CA, in PEM. Undefined: the controller uses those of its image. */
  readonly ca: string | undefined;
}

/** Renders a clouds.yaml: https://docs.openstack.org/openstacksdk/latest/user/config/configuration.html */
export function cloudsYaml({ authUrl, region, id, secret }: CloudCredential): string {
  const auth = {
    auth_url: authUrl,
    application_credential_id: id,
    application_credential_secret: secret,
  };
  const cloud = {
    ...{ auth_type: "v3applicationcredential", auth, interface: "public", identity_api_version: 3 },
    ...(region !== undefined && { region_name: region }),
  };
  return toYaml({ clouds: { [CLOUD]: cloud } });
}

/** Mount point of the Secret in pods of the cloud controller manager and of Cinder CSI. */
const MOUNTED = "/etc/config";

/**
 * Renders a cloud.conf:
 * https://github.com/kubernetes/cloud-provider-openstack/tree/master/docs/openstack-cloud-controller-manager
 * @param balancerProvider provider in Octavia. `ovn` supports only one balancing method
 * @param floatingNetworkId id of the network for floating IPs of load balancers. @default the only external network
 * @param nodeCidr CIDR of the nodes' addresses. Without it a node's internal address may be that of any of its ports
 */
export function cloudConf(
  { authUrl, region, id, secret, ca }: CloudCredential,
  {
    balancerProvider,
    floatingNetworkId,
    blockStorage,
    nodeCidr,
  }: {
    readonly balancerProvider?: string | undefined;
    readonly floatingNetworkId?: string | undefined;
    readonly blockStorage?: PlannedCloudSecret["blockStorage"];
    readonly nodeCidr?: string | undefined;
  },
): string {
  const global = {
    "auth-url": authUrl,
    "application-credential-id": id,
    "application-credential-secret": secret,
    region,
    "ca-file": ca === undefined ? undefined : `${MOUNTED}/cacert`,
  };
  const balancers = {
    "lb-provider": balancerProvider,
    "floating-network-id": floatingNetworkId,
    "lb-method": balancerProvider === "ovn" ? "SOURCE_IP_PORT" : undefined,
    // a balancer of ovn leaves the client's address in packets: so nodes have to let those in that a Service lets in
    "manage-security-groups": "true",
  };
  const sections = [section("Global", global), section("LoadBalancer", balancers)];
  if (nodeCidr !== undefined) sections.push(section("Networking", { "address-sort-order": nodeCidr }));
  if (blockStorage !== undefined) sections.push(section("BlockStorage", blockStorage));
  return sections.join("\n");
}

/** Renders a section in the format of Git's config, which these programs read: https://pkg.go.dev/gopkg.in/gcfg.v1 */
function section(
  name: string,
  values: Readonly<Record<string, string | boolean | number | undefined>>,
): string {
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}="${String(value).replaceAll(/["\\]/g, "\\$&")}"`],
  );
  return [`[${name}]`, ...lines, ""].join("\n");
}
