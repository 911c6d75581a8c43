import { ApplicationCredential } from "@pulumi/openstack/identity/applicationCredential";
import * as pulumi from "@pulumi/pulumi";
import { digest } from "../../kube/objects/checksum";
import { certificatesOf, type CloudAccess } from "../../openstack/clouds";
import type { PlannedCloudSecret, PlannedCredential } from "../../plan/model";
import { networkId } from "./lookups";
import { cloudConf, cloudsYaml, type CloudCredential } from "../../render/cloud-config";

/** The content of a Secret, by file. */
export type SecretContent = pulumi.Output<Readonly<Record<string, string>>>;

/**
 * Creates an application credential of a cloud for controllers of a cluster. A changed one is created before the former
 * one is deleted.
 * @returns the credential; secret
 *
 * Keystone adds roles that the requested ones imply. A refresh reads these too, and the provider would replace the
 * credential because of them. Therefore changes of roles are ignored, and other roles are another resource.
 */
export function applicationCredential(
  instance: string,
  { roles, expiresAt, accessRules, rotate }: PlannedCredential,
  cloud: () => CloudAccess,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<CloudCredential> {
  const access = cloud();
  const { auth_url, region_name } = access;
  const ca = certificatesOf(access);
  const made = new ApplicationCredential(
    roles === undefined ? instance : `${instance}-${digest([...roles].sort()).slice(0, 8)}`,
    {
      ...(roles && { roles: [...roles] }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(accessRules && { accessRules: accessRules.map((rule) => ({ ...rule })) }),
      description: [`for controllers of ${instance}`, ...(rotate === undefined ? [] : [rotate])].join(
        "; rotated ",
      ),
    },
    pulumi.mergeOptions(opts, { additionalSecretOutputs: ["secret"], ignoreChanges: ["roles"] }),
  );
  return pulumi.secret(
    pulumi.all([made.id, made.secret]).apply(([id, secret]): CloudCredential => ({
      ...{ authUrl: auth_url, region: region_name, id, secret },
      ca,
    })),
  );
}

/** The content of a Secret with a credential, by file name, in the requested form. */
export function secretContent(
  credential: pulumi.Output<CloudCredential>,
  { form, balancerProvider, externalNetwork, blockStorage, nodeCidr }: PlannedCloudSecret,
  opts: pulumi.InvokeOptions,
): SecretContent {
  const external = externalNetwork === undefined ? undefined : networkId(externalNetwork, opts);
  return pulumi.all([credential, external]).apply(([known, floatingNetworkId]): Record<string, string> => {
    const text =
      form === "clouds.yaml"
        ? cloudsYaml(known)
        : cloudConf(known, { balancerProvider, floatingNetworkId, blockStorage, nodeCidr });
    return { [form]: text, ...(known.ca !== undefined && { cacert: known.ca }) };
  });
}
