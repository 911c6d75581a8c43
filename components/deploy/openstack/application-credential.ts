import { readFileSync } from "node:fs";
import { ApplicationCredential } from "@pulumi/openstack/identity/applicationCredential";
import * as pulumi from "@pulumi/pulumi";
import { stringify } from "yaml";
import { cloudAccess } from "../../openstack/clouds";
import type { PlannedCredential } from "../../plan/workload/cluster-instance";

/**
 * Makes an application credential of the stack's cloud for controllers of a cluster. A change makes another one before
 * this one goes. @returns what the Secret with it has: `clouds.yaml`, and `cacert` where the cloud has a CA of its own;
 * secret
 */
export function applicationCredential(
  name: string,
  { roles, cloud }: PlannedCredential,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<Readonly<Record<string, string>>> {
  const access = cloudAccess(pulumi.runtime.allConfig());
  const credential = new ApplicationCredential(
    name,
    { ...(roles && { roles: [...roles] }), description: `of ${pulumi.getStack()}, for controllers` },
    pulumi.mergeOptions(opts, { additionalSecretOutputs: ["secret"] }),
  );
  const content = pulumi
    .all([credential.id, credential.secret])
    .apply(([id, secret]): Record<string, string> => ({
      "clouds.yaml": stringify({
        clouds: {
          [cloud]: {
            auth_type: "v3applicationcredential",
            auth: {
              auth_url: access.auth_url,
              application_credential_id: id,
              application_credential_secret: secret,
            },
            ...(access.region_name !== undefined && { region_name: access.region_name }),
            interface: "public",
            identity_api_version: 3,
          },
        },
      }),
      ...(access.cacert !== undefined && { cacert: readFileSync(access.cacert, "utf8") }),
    }));
  return pulumi.secret(content);
}
