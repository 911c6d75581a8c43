import { previewOf } from "../../../../automation/changes/changes";
import type { Subject } from "../../../../automation/changes/subject";
import {
  AS_DECLARED,
  assertStackStays,
  NOTHING,
  ofKinds,
  ofVnfcs,
  unrequested,
} from "../../../../automation/operations/guard";
import { planHeal } from "../../../../automation/operations/heal";
import { planTerminate, planTerminateAll } from "../../../../automation/operations/instances";
import { notAgreed } from "../../../../automation/operations/roll";
import { planRotate } from "../../../../automation/operations/rotate";
import { planScale, type LevelChange } from "../../../../automation/operations/scale";
import type { Step } from "../../../../automation/stack/steps";
import type { Vnfs } from "../../../../automation/stack/stack-config";
import { clusterTemplate, templateCluster } from "../../../support/cluster-template";
import { REPOSITORY } from "../../../support/command";
import { devStack } from "../../../support/dev-stack";
import { objectOf, step, urn, VNF, vnf, vnfc } from "../steps";
import { inRepository } from "../in-repository";

const { config } = devStack<{ config: Record<string, Vnfs> }>();
const vnfs = config["vnfm:vnfs"] ?? {};
const C = urn("vnfm:index:Vnf", "vnf-c");
const worker = { aspect: "worker_instance" };

beforeAll(() => process.chdir(REPOSITORY));

const texts = (steps: Step[][], { allowance }: ReturnType<typeof planScale>) =>
  unrequested(previewOf(steps.flat()).changes, allowance).map(({ text }) => text);

describe("scale", () => {
  const edit = (...levels: LevelChange[]) => planScale(inRepository({ vnfs }), "vnf-a", levels).edits;

  it("sets the level, outright or from the present one", () => {
    const set = (value: number) => [{ vnf: "vnf-a", path: ["scale", "worker_instance"], value }];
    expect(edit({ ...worker, level: 3 })).toEqual(set(3));
    expect(edit({ ...worker, by: 2 })).toEqual(set(3));
    expect(edit({ ...worker, by: -1 })).toEqual(set(0));
  });

  it("counts from the level of the instantiation level, or 0", () => {
    const from = (changes: object) =>
      planScale(inRepository({ vnfs: { ...vnfs, "vnf-a": { ...vnfs["vnf-a"], ...changes } } }), "vnf-a", [
        { ...worker, by: 1 },
      ]).edits;
    expect(from({ scale: {} })).toEqual([expect.objectContaining({ value: 1 })]);
  });

  it("names what there is not", () => {
    expect(() => planScale(inRepository({ vnfs }), "vnf-c", [])).toThrow(
      'the stack config has no instance "vnf-c"; one of vnf-a, vnf-b',
    );
    expect(() => edit({ aspect: "worker_instanc", level: 1 })).toThrow(
      'vnf-a has no scaling aspect "worker_instanc"; one of worker_instance; did you mean "worker_instance"?',
    );
    expect(() => edit({ ...worker, by: -2 })).toThrow(
      "vnf-a: worker_instance is at scale level 1 and cannot be scaled to -1",
    );
    expect(() => edit({ ...worker, level: 999 })).toThrow("is above the VNFD's max_scale_level");
  });

  it("lets the VNFCs above the new level go, and nothing else", () => {
    const scaleIn = planScale(inRepository({ vnfs }), "vnf-a", [{ ...worker, level: 0 }]);
    expect(texts([vnf(), vnfc("delete", "workerNode-2", "member")], scaleIn)).toEqual([]);
    expect(
      texts(
        [
          vnf(),
          vnfc("delete", "workerNode-1", "member"),
          vnfc("replace", "workerNode-2", "member"),
          vnfc("create", "workerNode-3", "member"),
          objectOf("delete", "Deployment tiers/api"),
          objectOf("update", "Deployment tiers/db"),
        ],
        scaleIn,
      ),
    ).toEqual([
      "workerNode-1 is drained, leaves the cluster, its server is deleted",
      expect.stringMatching(/^workerNode-2 is replaced/),
      "Deployment tiers/api is deleted",
    ]);
  });

  it("sets the replicas of a node group of a cluster by a template", () => {
    const settings = {
      vnfs: { ...vnfs, tenant: templateCluster({ vim: "vnf-a" }) as Vnfs[string] },
      clusterTemplates: { kube: clusterTemplate() },
    };
    const scaleTenant = (aspect: string) =>
      planScale(inRepository(settings), "tenant", [{ aspect, by: 2 }]).edits;
    expect(scaleTenant("default")).toEqual([
      { vnf: "tenant", path: ["nodeGroups", "default", "replicas"], value: 3 },
    ]);
    expect(() => scaleTenant("batch")).toThrow('tenant has no node group "batch"; one of default');
  });

  it("lets nobody go where it scales out", () => {
    const scaleOut = planScale(inRepository({ vnfs }), "vnf-a", [{ ...worker, level: 2 }]);
    expect(texts([vnf(), vnfc("delete", "workerNode-2", "member")], scaleOut)).toHaveLength(1);
  });
});

describe("heal", () => {
  const token = "2026-11-21T10:00:00.000Z";
  const heal = (name: string, ...vnfcs: string[]) => planHeal(inRepository({ vnfs }), name, vnfcs, token);

  it("gives each VNFC the token", () => {
    expect(heal("vnf-a", "workerNode-1", "workerNode-2").edits).toEqual(
      ["workerNode-1", "workerNode-2"].map((key) => ({ vnf: "vnf-a", path: ["heal", key], value: token })),
    );
  });

  it("names the VNFC that there is not", () => {
    expect(() => heal("vnf-a", "workerNode-3")).toThrow(
      'vnf-a has no VNFC "workerNode-3"; one of all, masterNode-1, workerNode-1, workerNode-2',
    );
  });

  it("lets what is healed be replaced, and nothing else", () => {
    const steps = [
      vnf(),
      vnfc("replace", "workerNode-1", "member"),
      vnfc("replace", "workerNode-2", "member"),
    ];
    expect(texts(steps, heal("vnf-a", "workerNode-1"))).toEqual([
      expect.stringMatching(/^workerNode-2 is replaced/),
    ]);
    expect(texts(steps, heal("vnf-a", "workerNode-1", "workerNode-2"))).toEqual([]);
  });

  it("lets no port go with a server, and what an earlier run has left in any case", () => {
    const worker = vnfc("replace", "workerNode-1", "member");
    const ports = worker.map((one) => (one.type.endsWith(":Port") ? { ...one, op: "replace" } : one));
    const leftover = step(
      "delete-replaced",
      "openstack:identity/applicationCredential:ApplicationCredential",
      "vnf-a",
      { parent: VNF },
    );
    expect(texts([vnf(), ports, [leftover]], heal("vnf-a", "workerNode-1"))).toEqual([
      "workerNode-1: port cp is replaced",
    ]);
  });

  it("heals a CNF as a whole only", () => {
    expect(heal("vnf-b", "all").edits).toEqual([{ vnf: "vnf-b", path: ["heal", "all"], value: token }]);
    expect(() => heal("vnf-b", "api")).toThrow('vnf-b has no VNFC "api"; one of all');
  });

  const evacuated = { ...vnfs, "vnf-a": { ...vnfs["vnf-a"], evacuate: true } };

  it("refuses to make a cluster anew that a CNF is on", () => {
    expect(() => heal("vnf-a", "all")).toThrow(
      "vnfm:vnfs.vnf-a.heal.all: a new trigger value re-creates the whole cluster, and vnf-b is on it: " +
        "set vnfm:vnfs.vnf-a.evacuate to true",
    );
  });

  it("lets all of a cluster and the CNFs on it go where it is evacuated", () => {
    const steps = [
      vnf(),
      vnfc("replace", "masterNode-1", "master"),
      objectOf("replace", "Deployment tiers/api"),
    ];
    const others = [step("same", "vnfm:index:Vnf", "vnf-c"), step("delete", "a:b:C", "c", { parent: C })];
    expect(
      texts([...steps, others], planHeal(inRepository({ vnfs: evacuated }), "vnf-a", ["all"], token)),
    ).toEqual(["C c is deleted"]);
    expect(
      texts(steps, planHeal(inRepository({ vnfs: evacuated }), "vnf-a", ["masterNode-1"], token)),
    ).toEqual(["Deployment tiers/api is replaced"]);
  });
});

describe("rotate", () => {
  const token = "2026-11-21T10:00:00.000Z";
  const rotate = (name: string, ...secrets: string[]) =>
    planRotate(inRepository({ vnfs }), name, secrets, token);
  const steps = [
    vnf(),
    vnfc("replace", "workerNode-1", "member"),
    [
      step("replace", "openstack:identity/applicationCredential:ApplicationCredential", "vnf-a", {
        parent: VNF,
      }),
    ],
    [step("replace", "openstack:networking/port:Port", "vnf-a-vip", { parent: VNF })],
    objectOf("replace", "Deployment tiers/api"),
  ];

  it("gives each secret the token", () => {
    expect(rotate("vnf-a", "ssh_key", "certificates").edits).toEqual(
      ["ssh_key", "certificates"].map((key) => ({ vnf: "vnf-a", path: ["rotate", key], value: token })),
    );
  });

  it("names the secret that there is not, and refuses what is no cluster", () => {
    expect(() => rotate("vnf-a", "ssh-key")).toThrow(
      '"ssh-key" is not one of certificates, credential, encryption_key, service_account, ssh_key; did you mean "ssh_key"?',
    );
    expect(() => rotate("vnf-a", "credential")).toThrow(
      "vnfm:vnfs.vnf-a.rotate.credential: is for a cluster with cloud_provider; remove it",
    );
    expect(() => rotate("vnf-b", "ssh_key")).toThrow("vnf-b is not a cluster: it has no secrets to rotate");
  });

  it("lets nothing be replaced for an SSH key", () => {
    expect(texts(steps, rotate("vnf-a", "ssh_key"))).toEqual([
      expect.stringMatching(/^workerNode-1 is replaced/),
      "application credential is replaced",
      "port vip is replaced",
      "Deployment tiers/api is replaced",
    ]);
  });
});

describe("an allowance", () => {
  const changed = (subject: Subject, isLoss?: true) => ({ subject, ...(isLoss && { isLoss }) });
  const server: Subject = { vnf: "vnf-a", vnfc: "workerNode-1", kind: "vnfc", key: "" };

  it("for VNFCs includes the parts that share their servers' life, and not those that outlive them", () => {
    const mayGo = ofVnfcs((vnfc) => vnfc === "workerNode-1");
    const port: Subject = { ...server, kind: "port", key: "cp" };
    expect([server, port].map((one) => mayGo(changed(one)))).toEqual([true, true]);
    expect(mayGo(changed(port, true))).toBe(false);
    // a name that another thing has too
    expect(mayGo(changed({ vnf: "vnf-a", kind: "network", key: "workerNode-1" }))).toBe(false);
  });

  it("for kinds includes the resources of the instance as a whole", () => {
    const mayGo = ofKinds("applicationCredential");
    expect(mayGo(changed({ vnf: "vnf-a", kind: "applicationCredential", key: "" }))).toBe(true);
    expect(mayGo(changed({ vnf: "vnf-a", kind: "command", key: "application credential" }))).toBe(false);
    expect(mayGo(changed({ ...server, kind: "applicationCredential" }))).toBe(false);
  });
});

it("the guard does not take an agreement to a step of a VNFC for one to its server", () => {
  const again = vnfc("same", "workerNode-1", "member").flatMap((one) =>
    one.urn.endsWith("-ready") ? ["replace", "create-replacement"].map((op) => ({ ...one, op })) : [one],
  );
  const changesOf = (...steps: Step[][]) => previewOf([...vnf(), ...steps.flat()]).changes;
  const agreed = changesOf(again);
  expect(agreed.map(({ action, text }) => [action, text])).toEqual([
    ["replace", "workerNode-1: becomes ready again"],
  ]);
  expect(notAgreed(agreed, agreed)).toEqual([]);
  const replaced = changesOf(vnfc("replace", "workerNode-1", "member"));
  expect(notAgreed(replaced, agreed)).toEqual(replaced);
});

describe("a run that deletes a whole stack", () => {
  const gone = (name: string): Step[] =>
    [
      ...vnf(name),
      step("same", "openstack:identity/applicationCredential:ApplicationCredential", `${name}-key`, {
        parent: urn("vnfm:index:Vnf", name),
      }),
    ].map((one) => ({ ...one, op: "delete" }));
  const stayed = [step("same", "openstack:networking/network:Network", "net")];

  it.each([
    ["all instances", [...gone("vnf-a"), ...gone("vnf-b")], "all instances of the stack: vnf-a, vnf-b"],
    [
      "all instances, and not vnfm's own network",
      [...gone("vnf-a"), ...stayed],
      "all instances of the stack: vnf-a",
    ],
    [
      "every resource of a program without instances",
      stayed.map((one) => ({ ...one, op: "delete" })),
      "everything that the stack created",
    ],
  ])("is refused where it deletes %s", (_, steps, what) => {
    for (const allowance of [NOTHING, AS_DECLARED, { ...NOTHING, whole: ["vnf-b"] }])
      expect(() => assertStackStays(steps, allowance)).toThrow(
        `rejected: the update would delete ${what}. Nothing was changed.`,
      );
  });

  it("is done where each instance is named, or all are", () => {
    const steps = [...gone("vnf-a"), ...gone("vnf-b")];
    const one = { vnfs: { "vnf-a": vnfs["vnf-a"] } } as const;
    const last = planTerminate(inRepository(one), "vnf-a");
    assertStackStays(gone("vnf-a"), last.allowance);
    const all = planTerminateAll(inRepository({ vnfs }));
    assertStackStays(steps, all.allowance);
    expect(unrequested(previewOf(steps).changes, all.allowance)).toEqual([]);
    expect(all.edits.map(({ vnf: name, value }) => [name, value])).toEqual([
      ["vnf-a", undefined],
      ["vnf-b", undefined],
    ]);
  });

  it.each([
    ["an instance that stays", [...gone("vnf-a"), ...vnf("vnf-b")]],
    ["nothing to do", []],
    ["a first run", vnf().map((one) => ({ ...one, op: "create" }))],
  ])("is not meant by %s", (_, steps) => {
    expect(() => assertStackStays(steps, AS_DECLARED)).not.toThrow();
  });
});
