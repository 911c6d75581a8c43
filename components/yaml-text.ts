import { stringify } from "yaml";

/**
 * YAML that says the same to each reader. Kubernetes, kubeadm and cloud-init read YAML 1.1, where `yes`, `1_000` and
 * `1:30` without quotes are no texts; others read YAML 1.2, where `0o17` is none.
 */
export function toYaml(
  value: unknown,
  options: { readonly lineWidth?: number; readonly aliasDuplicateObjects?: boolean } = {},
): string {
  return stringify(value, { ...options, version: "1.1", compat: "core" });
}
