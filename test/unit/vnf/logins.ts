import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import { haClusterVnf, kubeadmCluster } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { recordedScripts } from "../../support/script-steps";
import { clusterOutputs } from "./outputs";

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n";

let recorded: RecordedResource[];

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
    makeVnfs(planOf({ "vnf-a": vnf }));
    await settle();
  });

  it("is dialled with that of the server", () => {
    const used = recordedScripts(recorded)
      .filter(({ name }) => /-(prepare|load-balancer)$/.test(name))
      .map(({ name, reach: { login } }) => [name, login.user, login.password, login.keys]);
    expect(used.sort()).toEqual([
      ...[1, 2].map((i) => [`vnf-a-loadBalancer-${i}-load-balancer`, "balancer", "hunter3", undefined]),
      ...[1, 2, 3].map((i) => [`vnf-a-masterNode-${i}-prepare`, "engineer", undefined, [KEY]]),
      ["vnf-a-workerNode-1-prepare", "w", "hunter2", undefined],
    ]);
  });

  it("is reached with the masters' by whatever runs on any of them", () => {
    const logins = recordedScripts(recorded)
      .filter(({ reach }) => reach.onMaster)
      .map(({ reach }) => reach.login);
    expect(logins.length).toBeGreaterThan(5);
    for (const login of logins) expect(login).toEqual({ user: "engineer", keys: [KEY] });
  });

  it("is asked to give the virtual IP away with that of the server", () => {
    const logins = recordedScripts(recorded)
      .filter(({ name }) => name.endsWith("-handover"))
      .map(({ reach }) => reach.login);
    expect(logins).toEqual(Array(2).fill({ user: "balancer", password: "hunter3" }));
  });
});
