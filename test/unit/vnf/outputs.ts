import { execFileSync } from "node:child_process";
import { parse, stringify } from "yaml";
import type { RecordedResource } from "../../support/mocks";
import { kubeconfig } from "../fixtures";

/** Returns the outputs of a cluster's resources, as far as the program reads them. */
export function clusterOutputs(
  { type, name, inputs }: RecordedResource,
  given: { readonly zone?: string; readonly keys?: string } = {},
): Record<string, unknown> {
  const { zone = "nova", keys = "ssh-ed25519 AAAA\n-----BEGIN\n" } = given;
  if (type === "openstack:networking/port:Port") return { allFixedIps: ["fd00::5", `10.0.0.${name.length}`] };
  if (type === "openstack:compute/instance:Instance") return { availabilityZone: zone };
  if (name.endsWith("-access")) {
    return { stdout: "ca=Y2E=\nssl_ca_cert_hash=sha256:ab\ncertificate_key=cd\n" };
  }
  if (name.endsWith("-certificates"))
    return { stdout: '{"expiresAt":"2027-01-31T00:00:00Z","caExpiresAt":"2036-01-29T00:00:00Z"}\n' };
  if (inputs["environment"] !== undefined && "VNFM_SCRIPT" in (inputs["environment"] as object))
    return { stdout: "abcdef.0123456789abcdef\n" };
  return type === "command:local:Command" ? { stdout: keys } : {};
}

/** Returns a kubeconfig as in the Secret of Cluster API, with another CA. */
export function adminKubeconfig(): string {
  const ca = "openssl req -x509 -newkey ed25519 -noenc -keyout /dev/null -subj /CN=tenant".split(" ");
  const pem = execFileSync(ca[0] ?? "", ca.slice(1), { stdio: ["ignore", "pipe", "ignore"] });
  const value = parse(kubeconfig("tenant")) as { clusters: [{ cluster: Record<string, unknown> }] };
  value.clusters[0].cluster["certificate-authority-data"] = pem.toString("base64");
  return stringify(value);
}
