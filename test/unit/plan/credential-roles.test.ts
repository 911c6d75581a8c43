import { planOf } from "../../support/planned";
import { textOf } from "../../../components/base/findings";
import { credentialRoles, defaultRoles } from "../../../components/plan/credential-roles";
import { loadPackage } from "../../../components/vnfd/package";
import { clusterVnf } from "../../support/configs";
import { plannedCluster } from "./planned-cluster";

test.each([
  [
    ["admin", "member", "reader", "load-balancer_member", "creator"],
    ["member", "load-balancer_member"],
  ],
  [["member", "reader"], ["member"]],
  [["_member_", "Member"], ["Member"]],
  [
    ["_member_", "load-balancer_member"],
    ["_member_", "load-balancer_member"],
  ],
  [["admin", "load-balancer_member"], undefined],
  [[], undefined],
])("a user with the roles %j gives a credential %j by default", (ofUser, roles) => {
  expect(defaultRoles(ofUser)).toEqual(roles);
});

const OF_TEMPLATE = "vnfm:vnfs.tenant.credential.roles";
const OF_KUBEADM = "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.credential.roles";

const addon = { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) };
const kubeadm = (credential?: object) => {
  const addons = { "openstack-cloud-controller-manager": addon };
  const cloud = { cloud_provider: "openstack", addons, ...(credential && { credential }) };
  return planOf({ "vnf-a": clusterVnf(1, cloud) }, { loadPackage });
};
const told = (...args: Parameters<typeof credentialRoles>) => {
  const { faults, warnings } = credentialRoles(...args);
  return { faults: faults.map(textOf), warnings: warnings.map(textOf) };
};

test.each([
  [OF_TEMPLATE, (credential?: object) => plannedCluster(credential && { credential }).plans],
  [OF_KUBEADM, kubeadm],
])("%s are compared with those of the user", (place, plansWith) => {
  expect(told(plansWith(), ["member", "load-balancer_member", "admin"])).toEqual({
    faults: [],
    warnings: [],
  });
  expect(told(plansWith(), ["member", "reader"])).toEqual({ faults: [], warnings: [] });
  expect(told(plansWith({ roles: ["member", "creator"] }), ["Member", "creator"])).toEqual({
    faults: [],
    warnings: [],
  });
  expect(told(plansWith(), ["admin", "reader"])).toEqual({
    faults: [],
    warnings: [
      `${place}: the user of pulumi up has no role member in the project, so the credential has all roles of the user (admin, reader); set the roles that its controllers need`,
    ],
  });
  expect(told(plansWith(), ["admin", "load-balancer_admin", "member"])).toEqual({
    faults: [],
    warnings: [
      `${place}: the credential has only the role member, because the user of pulumi up does not have load-balancer_member, without which Octavia creates no load balancer on most clouds; assign that role to the user, or set the roles that its controllers need`,
    ],
  });
  expect(told(plansWith({ roles: ["admin", "membre", "load-balancer_admin"] }), ["admin", "member"])).toEqual(
    {
      faults: [
        `${place}[1]: the user of pulumi up does not have the role "membre" in the project, and can delegate only admin, member; did you mean "member"?`,
        `${place}[2]: the user of pulumi up does not have the role "load-balancer_admin" in the project, and can delegate only admin, member`,
      ],
      warnings: ["admin", "load-balancer_admin"].map(
        (role, i) =>
          `${place}[${i * 2}]: "${role}" permits more in the cloud than a cluster needs, and everyone who can read Secrets of its addons gets it; member and load-balancer_member suffice for its controllers`,
      ),
    },
  );
});
