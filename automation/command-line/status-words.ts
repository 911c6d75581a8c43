import type { Endpoint } from "../../components/deploy/objects/cnf";
import { describeHolder } from "../stack/lock";
import type { StackStatus, VnfcStatus, VnfStatus } from "../stack/status";

/** A stack's status as lines. */
export function describeStatus({ heldBy, vnfs }: StackStatus): readonly string[] {
  const isMade = vnfs.some(({ instantiationState }) => instantiationState === "INSTANTIATED");
  return [
    ...(heldBy === undefined ? [] : [`locked by ${describeHolder(heldBy)}`]),
    ...vnfs.flatMap(describeVnf),
    ...(isMade ? ["as after the last update; 'vnfm check' compares it with what exists now"] : []),
  ];
}

function describeVnf(status: VnfStatus): readonly string[] {
  const {
    vnf,
    vnfState,
    cloud,
    flavour,
    scale = {},
    vnfcs,
    apiUrl,
    vimName,
    expiring = [],
    endpoints = [],
  } = status;
  const levels = Object.entries(scale).map(([aspect, level]) => `${aspect}=${level}`);
  const head = [
    `${vnf}: ${vnfState ?? status.instantiationState}`,
    ...(cloud === undefined ? [] : [`cloud ${cloud}`]),
    flavour === undefined ? "no longer in the stack config" : `flavour ${flavour}`,
    ...(levels.length === 0 ? [] : [`scale ${levels.join(" ")}`]),
  ];
  return [
    head.join(", "),
    ...vnfcs.map((vnfc) => `  ${describeVnfc(vnfc)}`),
    ...(apiUrl === undefined ? [] : [`  API ${apiUrl}`]),
    ...(vimName === undefined ? [] : [`  VIM ${vimName}`]),
    ...expiring.map((text) => `  ${text}`),
    ...endpoints.map((endpoint) => `  ${describeEndpoint(endpoint)}`),
  ];
}

function describeVnfc({ vnfc, state, addresses = {}, serverId, controller, replicas }: VnfcStatus): string {
  if (state === "planned") return `${vnfc}: does not exist yet`;
  const parts = [
    ...Object.entries(addresses).map(([connectionPoint, address]) => `${connectionPoint} ${address}`),
    ...(serverId === undefined ? [] : [`server ${serverId}`]),
    ...(controller === undefined ? [] : [controller]),
    ...(replicas === undefined ? [] : [`replicas ${replicas}`]),
    ...(state === "leaving" ? ["is deleted by the next update"] : []),
  ];
  return `${vnfc}: ${parts.join(", ")}`;
}

function describeEndpoint({ type, namespace, name, ports, ingress }: Endpoint): string {
  const shown = ports.map(({ port, nodePort, protocol }) => {
    const suffix = protocol === "TCP" ? "" : `/${protocol}`;
    return `${port}${suffix}${nodePort === undefined ? "" : ` on every node's ${nodePort}`}`;
  });
  const at = ingress.length === 0 ? "" : `, at ${ingress.join(", ")}`;
  return `${type} ${namespace}/${name}: port ${shown.join(", ")}${at}`;
}
