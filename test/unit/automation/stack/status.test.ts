import { intentOf } from "../../../../automation/stack/intent";
import type { Vnfs } from "../../../../automation/stack/stack-config";
import { statusOf, type VnfOutputs } from "../../../../automation/stack/status";
import { describeStatus } from "../../../../automation/command-line/status-words";
import { clusterTemplate, templateCluster } from "../../../support/cluster-template";
import { REPOSITORY } from "../../../support/command";
import { clusterVnf } from "../../../support/configs";
import { devStack } from "../../../support/dev-stack";
import { inRepository } from "../in-repository";

const { config } = devStack<{ config: Record<string, Vnfs> }>();

const OUTPUTS: VnfOutputs = {
  "vnf-a": {
    apiUrl: "https://198.19.0.45:6443",
    vimName: "kubernetes_vim_vnf-a",
    vnfState: "STARTED",
    vnfcs: {
      "masterNode-1": { addresses: { masterNode_CP1: "198.19.0.45" }, serverId: "5d0f" },
      "workerNode-1": { addresses: { workerNode_CP2: "198.19.0.112" }, serverId: "b1a0" },
      "workerNode-3": { addresses: { workerNode_CP2: "198.19.0.114" }, serverId: "c3d2" },
    },
  },
  old: {
    vnfState: "STARTED",
    vnfcs: [{ vdu: "web", kind: "Deployment", namespace: "web", name: "web", replicas: 2 }],
    endpoints: [
      {
        name: "web",
        namespace: "web",
        type: "NodePort",
        ports: [{ port: 80, nodePort: 31380, protocol: "TCP" }],
        ingress: [],
      },
    ],
  },
};

beforeAll(() => process.chdir(REPOSITORY));

it("the status shows what is wanted beside what is there", () => {
  const vnfs = statusOf(intentOf(inRepository({ vnfs: config["vnfm:vnfs"] ?? {} })), OUTPUTS);
  expect(describeStatus({ stack: "organization/vnfm/dev", vnfs })).toEqual([
    "vnf-a: STARTED, flavour simple, scale worker_instance=1",
    "  masterNode-1: masterNode_CP1 198.19.0.45, server 5d0f",
    "  workerNode-1: workerNode_CP2 198.19.0.112, server b1a0",
    "  workerNode-3: workerNode_CP2 198.19.0.114, server c3d2, is deleted by the next update",
    "  workerNode-2: does not exist yet",
    "  API https://198.19.0.45:6443",
    "  VIM kubernetes_vim_vnf-a",
    expect.stringMatching(/^vnf-b: NOT_INSTANTIATED, flavour \w+, scale /),
    ...vnfs[1]!.vnfcs.map(({ vnfc }) => `  ${vnfc}: does not exist yet`),
    "old: STARTED, no longer in the stack config",
    "  web: Deployment web/web, replicas 2, is deleted by the next update",
    "  NodePort web/web: port 80 on every node's 31380",
    "as after the last update; 'vnfm check' compares it with what exists now",
  ]);
});

it("the status says 30 days before that the credential of a cluster ends, or its certificates", () => {
  const expiresAt = "2027-01-31T00:00:00Z";
  const vnfs = {
    tenant: { ...templateCluster({ vim: "vnf-a" }), credential: { expiresAt } },
    "vnf-a": clusterVnf(1),
  };
  const intent = intentOf(
    inRepository({ vnfs: vnfs as unknown as Vnfs, clusterTemplates: { kube: clusterTemplate() } }),
  );
  const outputs: VnfOutputs = {
    "vnf-a": {
      vnfState: "STARTED",
      vnfcs: {},
      certificates: { expiresAt: "2027-02-05T12:00:00Z", caExpiresAt: "2036-02-05T12:00:00Z" },
    },
  };
  const saidOn = (date: string) =>
    describeStatus({ stack: "s", vnfs: statusOf(intent, outputs, Date.parse(date)) }).filter((line) =>
      / ends /.test(line),
    );
  expect(saidOn("2026-12-31T23:00:00Z")).toEqual([]);
  expect(saidOn("2027-01-10T00:00:00Z")).toEqual([
    "  kubeadm's certificates: 2027-02-05T12:00:00Z ends in 26 days, and the Kubernetes API then stops working; 'vnfm rotate vnf-a certificates' renews them",
    "  credential.expiresAt: 2027-01-31T00:00:00Z ends in 21 days, and the cluster's controllers then lose access to the cloud; set a later time, which creates another credential",
  ]);
});

it("the status says who holds the stack", () => {
  const heldBy = { pid: 4, user: "root", host: "host", since: "2026-11-21" };
  expect(describeStatus({ stack: "s", heldBy, vnfs: [] })).toEqual([
    "locked by process 4 of root on host since 2026-11-21",
  ]);
  expect(describeStatus({ stack: "s", heldBy: { ...heldBy, verb: "vnfm heal v" }, vnfs: [] })).toEqual([
    "locked by process 4 of root on host since 2026-11-21 (vnfm heal v)",
  ]);
});

it("the status says of an instance with a name that every object has that it is not there before it is made", () => {
  const vnfs = { constructor: config["vnfm:vnfs"]?.["vnf-a"] } as unknown as Vnfs;
  const [status] = statusOf(intentOf(inRepository({ vnfs })), {});
  expect([status?.vnf, status?.instantiationState]).toEqual(["constructor", "NOT_INSTANTIATED"]);
});
