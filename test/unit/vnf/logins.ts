import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { makeVnfs } from "../../../components/deploy/instance";
import { loadPackage } from "../../../components/vnfd/package";
import { haClusterVnf, kubeadmCluster } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { clusterOutputs } from "./outputs";

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n";

let recorded: RecordedResource[];

const secret = (value: unknown): unknown => (value as { value?: unknown } | undefined)?.value;

describe("a cluster whose masters, workers and load balancers have a login each", () => {
  beforeAll(async () => {
    recorded = recordResources((resource) => clusterOutputs(resource));
    const extVirtualLinks = Object.fromEntries(
      ["masterNode_CP1", "workerNode_CP2", "loadBalancer_CP3"].map((point) => [point, { network: "public" }]),
    );
    const additionalParams = kubeadmCluster({
      master_node: { ssh_cp_name: "masterNode_CP1", username: "engineer", private_key: KEY },
      worker_node: { ssh_cp_name: "workerNode_CP2", username: "w", password: "hunter2" },
      load_balancer: { username: "balancer", password: "hunter3" },
    });
    const vnf = haClusterVnf(3, 1, { flavour: "ha-external-lb", extVirtualLinks, additionalParams });
    const { settings } = parseSettings({ "vnf-a": vnf });
    makeVnfs(planStack(settings, { loadPackage, readProjectFile: () => undefined }));
    await settle();
  });

  it("is dialled with that of the server", () => {
    const used = recorded
      .filter(({ name }) => /-(prepare|load-balancer)$/.test(name))
      .map(({ name, inputs }) => {
        const { user, password, privateKey } = secret(inputs["connection"]) as Record<string, unknown>;
        return [name, user, password, privateKey];
      });
    expect(used.sort()).toEqual([
      ...[1, 2].map((i) => [`vnf-a-loadBalancer-${i}-load-balancer`, "balancer", "hunter3", undefined]),
      ...[1, 2, 3].map((i) => [`vnf-a-masterNode-${i}-prepare`, "engineer", undefined, KEY]),
      ["vnf-a-workerNode-1-prepare", "w", "hunter2", undefined],
    ]);
  });

  it("is reached with the masters' by whatever runs on any of them", () => {
    const logins = recorded
      .map(({ inputs }) => String(secret(inputs["stdin"])))
      .filter((stdin) => stdin.includes("\nmasters='"))
      .map((stdin) => stdin.split("host_key=")[0]);
    expect(new Set(logins)).toEqual(
      new Set([`login_user='engineer'\nlogin_password=''\nlogin_keys='${KEY.trimEnd()}'\n`]),
    );
  });

  it("is asked to give the virtual IP away with that of the server", () => {
    const logins = recorded
      .filter(({ name }) => name.endsWith("-handover"))
      .map(({ inputs }) => String(secret(inputs["stdin"])).split("host=")[0]);
    expect(logins).toEqual(Array(2).fill("login_user='balancer'\nlogin_password='hunter3'\nlogin_keys=''\n"));
  });
});
