import type { VnfSettings } from "../settings/model";
import type { Vim } from "./model";

/** The VIM that the settings of a CNF name. */
export function vimOf(setting: NonNullable<VnfSettings["vim"]>): Vim {
  if (typeof setting === "string") return { kind: "vnf", vnf: setting };
  return "stack" in setting ? { kind: "stack", ...setting } : { kind: "kubeconfig", ...setting };
}

/**
 * Name of the instance in this stack that is the VIM. Undefined: the VIM is elsewhere, or its missing name has an error
 * already.
 */
export function vnfOfStack(vim: Vim): string | undefined {
  switch (vim.kind) {
    case "vnf":
      return vim.vnf === "" ? undefined : vim.vnf;
    case "stack":
    case "kubeconfig":
      return undefined;
  }
}

/** A text that is the same for equal VIMs, and different for all others. */
export function vimIdentity(vim: Vim): string {
  switch (vim.kind) {
    case "vnf":
      return `vnf ${vim.vnf}`;
    case "stack":
      return `stack ${vim.stack} ${vim.vim_name}`;
    case "kubeconfig":
      return `kubeconfig ${vim.kubeconfig.reveal()}`;
  }
}
