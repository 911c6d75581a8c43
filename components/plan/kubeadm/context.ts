import type { Place } from "../../base/findings";
import type { Rotate } from "../../settings/model";
import type { DeploymentFlavour } from "../../vnfd/model";
import type { PlannedNetwork, PlannedServer, PlannedVirtualIp } from "../servers/model";

/** Arguments of planCluster in addition to the operator's parameters. */
export interface ClusterContext {
  readonly instance: string;
  /** The setting k8s_cluster_installation_param. */
  readonly place: Place;
  readonly flavour: DeploymentFlavour;
  /** @default nothing */
  readonly rotate?: Rotate | undefined;
  readonly servers: readonly PlannedServer[];
  readonly networks: readonly PlannedNetwork[];
  readonly virtualIps: readonly PlannedVirtualIp[];
  /** Text of a file in the package, else in the project. */
  readonly readText: (path: string) => string | undefined;
}
