/** docs/requirements.md: the quota that each deployment flavour needs is what the plan counts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newDemand, NOTHING } from "../../../components/plan/demand";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { REPOSITORY } from "../../support/command";
import { loadPackage } from "../../support/packages";

const page = readFileSync(join(REPOSITORY, "docs/requirements.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => /^\| `(simple|ha)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

const POINTS = {
  masterNode_CP1: ["simple", "ha"],
  workerNode_CP2: ["simple", "ha"],
  loadBalancer_CP3: ["ha-external-lb"],
  storage_server_CP: ["simple-storage", "ha-storage"],
  vip_CP: ["ha"],
};
const STORAGE = {
  ssh_cp_name: "storage_server_CP",
  cinder_volume_setup_params: [{ volume_resource_id: "storage_server_volume", mount_to: "/volume" }],
  nfs_server_setup_params: [{ export_dir: "/volume/nfs/pv1", export_to: "10.10.0.0/24" }],
};

function demandOf(flavour: string) {
  const points = Object.entries(POINTS).filter(([, flavours]) =>
    flavours.some((it) => flavour.startsWith(it)),
  );
  const isHa = flavour.startsWith("ha");
  const { settings } = parseSettings({
    "vnf-a": {
      package: "vnf-packages/kubernetes-cluster",
      flavour,
      extVirtualLinks: Object.fromEntries(points.map(([point]) => [point, { network: "provider-net" }])),
      additionalParams: {
        k8s_cluster_installation_param: {
          master_node: { ssh_cp_name: "masterNode_CP1", ...(isHa && { cluster_cp_name: "vip_CP" }) },
          worker_node: { ssh_cp_name: "workerNode_CP2", aspect_id: "worker_instance" },
          management_cidrs: ["10.20.0.0/16"],
          ...(flavour.endsWith("-storage") && { storage_server: STORAGE }),
        },
      },
    },
  });
  const [plan] = planStack(settings, { loadPackage, readProjectFile: () => undefined });
  if (plan === undefined) throw new Error("nothing is planned");
  const { servers, amounts } = newDemand(plan, NOTHING, () => false);
  return [
    servers.reduce((sum, { count }) => sum + count, 0),
    ...(
      [
        "ports",
        "security groups",
        "security group rules",
        "server groups",
        "volumes",
        "load balancers",
      ] as const
    ).map((resource) => amounts[resource] ?? 0),
  ];
}

describe("the table of quota in docs/requirements.md", () => {
  it("has a row for each deployment flavour of the cluster package", () => {
    expect(rows.map(([, flavour]) => flavour)).toEqual([
      "`simple`",
      "`ha`",
      "`ha-external-lb`",
      "`ha-octavia`",
      "`simple-storage`",
      "`ha-storage`",
    ]);
  });

  it.each(rows)("says what %s%s needs", (_, flavour = "", ...amounts) => {
    expect(amounts.slice(0, 7).map(Number)).toEqual(demandOf(flavour.replaceAll("`", "")));
  });
});
