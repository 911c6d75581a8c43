import { toYaml } from "../../base/yaml/yaml";
import type { Secret } from "../../base/secret";
import { digest } from "../objects/checksum";

/** Path of the configuration of the encryption at rest on control-plane machines. */
export const ENCRYPTION = "/etc/kubernetes/encryption.yaml";

/**
 * The configuration with which kube-apiserver encrypts Secrets: the first key encrypts, the others only decrypt.
 * https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data
 */
export function encryptionConfiguration(keys: readonly Secret[]): string {
  const secretbox = {
    keys: keys.map((key) => {
      const text = key.reveal();
      // each key has another name, by which the API server finds the key of a value
      return { name: `key-${digest(text).slice(0, 8)}`, secret: text };
    }),
  };
  return toYaml({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "EncryptionConfiguration",
    // what was written before there were keys has none
    resources: [{ resources: ["secrets"], providers: [{ secretbox }, { identity: {} }] }],
  });
}
