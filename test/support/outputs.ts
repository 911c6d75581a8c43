import type { Unwrap } from "@pulumi/pulumi";
import type { ServerVnfc, VnfOutputs } from "../../components/deploy/outputs";

/** A VNFC that is a server, in the stack's outputs. */
export type Vnfc = Unwrap<ServerVnfc>;

/** VNFCs of a VNF instance, by name. */
export type Vnfcs = Readonly<Record<string, Vnfc>>;

/** A VNF instance in the stack's output `vnfs`. Each kind of instance has only some of these properties. */
export type VnfOutput = Required<Omit<Unwrap<VnfOutputs>, "vnfcs">> & { readonly vnfcs: Vnfcs };
