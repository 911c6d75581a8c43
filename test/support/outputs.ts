import type { Unwrap } from "@pulumi/pulumi";
import type { ServerVnfc, VnfOutputs } from "../../components/deploy/outputs";

/** A VNFC that is a server, as the stack's outputs show it. */
export type Vnfc = Unwrap<ServerVnfc>;

/** VNFCs of a VNF instance by their names. */
export type Vnfcs = Readonly<Record<string, Vnfc>>;

/** A VNF instance in the stack's output `vnfs`; which of the properties are there depends on its kind. */
export type VnfOutput = Required<Omit<Unwrap<VnfOutputs>, "vnfcs">> & { readonly vnfcs: Vnfcs };
