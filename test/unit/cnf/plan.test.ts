import { at } from "../../../components/kube/objects/object";
import { CONTROLLERS } from "../../../components/plan/workload/cnf-vdus";
import schema from "../../../components/settings/schema.json";
import { PackageFault } from "../../../components/vnfd/model";
import { dependencies, get, planned } from "./support";
import { placeOf } from "../places";

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 5
  template: {spec: {containers: [{name: c, image: i}]}}
---`;
const aspect = { id: "size", maxScaleLevel: 2, deltas: { VDU1: [1, 1] } };

function packageFaults(yaml: string, situation: Parameters<typeof planned>[1] = {}): string[] {
  try {
    planned(yaml, situation);
  } catch (error) {
    if (error instanceof PackageFault)
      return error.message
        .split("\n")
        .slice(1)
        .map((line) => line.trim());
    throw error;
  }
  return [];
}

describe("heal of all", () => {
  const job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: job}\nspec: {template: {spec: {}}}\n";
  const annotations = ["spec", "template", "metadata", "annotations"];

  test("gives the pods of what is rolled the token, and nothing to others", () => {
    const { plan } = planned(`${web}\n${job}`, { heal: { all: "2026-11-21" } });
    expect(plan.warnings).toEqual([]);
    expect(at(get(plan, "deployment-default/web").object, ...annotations)).toEqual({
      "vnfm.io/heal": "2026-11-21",
    });
    expect(at(get(plan, "job-default/job").object, ...annotations)).toBeUndefined();
  });

  test("warns where pods are updated by hand alone, which have no checksum either", () => {
    const byHand = `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  updateStrategy: {type: OnDelete}
  template: {spec: {containers: [{name: c, image: i, envFrom: [{configMapRef: {name: a}}]}]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}`;
    const { plan } = planned(byHand, { heal: { all: "2026-11-21" } });
    expect(plan.warnings).toEqual([expect.stringContaining("it is ignored")]);
    expect(at(get(plan, "daemonset-default/agent").object, ...annotations)).toBeUndefined();
  });

  test("warns where nothing is rolled", () => {
    expect(planned(job, { heal: { all: "2026-11-21" } }).plan.warnings).toEqual([
      "vnfm:vnfs.cnf.heal.all: no manifest has a Deployment, StatefulSet or DaemonSet whose pods could be replaced; it is ignored",
    ]);
  });
});

describe("VDUs", () => {
  test("are found by property name, and scaled where the VNFD governs them", () => {
    const { plan, faults } = planned(web, { vdus: { VDU1: "web" }, counts: { VDU1: 3 } });
    expect(faults).toEqual([]);
    expect(at(get(plan, "deployment-default/web").object, "spec", "replicas")).toBe(3);
    expect(plan.vnfcs).toEqual([
      { vdu: "VDU1", kind: "Deployment", namespace: "default", name: "web", replicas: 3 },
    ]);
  });

  test("keep the manifest's replicas where the VNFD does not govern them", () => {
    const { plan } = planned(web, { vdus: { VDU1: "web" } });
    expect(plan.vnfcs.map(({ replicas }) => replicas)).toEqual([5]);
  });

  test("are found by vdu_mapping", () => {
    const { plan, faults } = planned(web, {
      vdus: { VDU1: "something" },
      params: { vdu_mapping: { VDU1: { kind: "Deployment", name: "web" } } },
    });
    expect(faults).toEqual([]);
    expect(plan.vnfcs.map(({ name }) => name)).toEqual(["web"]);
  });

  test("may be of each kind that vdu_mapping may name", () => {
    const { kind } = schema.definitions.vduMapping.properties;
    expect([...kind.enum].sort()).toEqual(CONTROLLERS.map((it) => it.replace(/.*\//, "")).sort());
  });

  describe("without an object in the manifests", () => {
    const missing =
      'vnfm:vnfs.cnf.additionalParams.vdu_mapping.VDU2: the CNF has no Deployment, StatefulSet, ReplicaSet, DaemonSet, Pod or set of machines "db"; VDU VDU2 has no VNFC and is not scaled: set its object here, or none';

    test.each<[string, Parameters<typeof planned>[1], string[]]>([
      ["of which there need be none", { least: { VDU2: 0 } }, []],
      ["of which the least is one", { least: { VDU2: 1 } }, [missing]],
      ["of which the VNFD wants one", { least: { VDU2: 0 }, counts: { VDU2: 1 } }, [missing]],
      ["for which vdu_mapping says none", { params: { vdu_mapping: { VDU2: "none" } } }, []],
    ])("one %s", (_, situation, warnings) => {
      const { plan, faults } = planned(web, { vdus: { VDU1: "web", VDU2: "db" }, ...situation });
      expect(faults).toEqual([]);
      expect(plan.warnings).toEqual(warnings);
      expect(plan.vnfcs.map(({ vdu }) => vdu)).toEqual(["VDU1"]);
    });

    test("one for which vdu_mapping says none, though there is an object of its name", () => {
      const { plan } = planned(web, {
        vdus: { VDU1: "web" },
        counts: { VDU1: 3 },
        params: { vdu_mapping: { VDU1: "none" } },
      });
      expect(plan.vnfcs).toEqual([]);
      expect(at(get(plan, "deployment-default/web").object, "spec", "replicas")).toBe(5);
    });
  });

  test.each<[string, string, Parameters<typeof planned>[1], string[]]>([
    [
      "a mapping of no VDU, and to no object",
      web,
      {
        vdus: { VDU1: "web" },
        params: {
          vdu_mapping: { VDU2: { kind: "Pod", name: "x" }, VDU1: { kind: "DaemonSet", name: "web" } },
        },
      },
      [
        "vnfm:vnfs.cnf.additionalParams.vdu_mapping.VDU2: the VNFD has no such VDU; one of VDU1",
        'vnfm:vnfs.cnf.additionalParams.vdu_mapping.VDU1: the CNF has no DaemonSet "web"',
      ],
    ],
    [
      "two objects of one name",
      web + web.replace("Deployment", "StatefulSet"),
      { vdus: { VDU1: "web" } },
      [
        'vnfm:vnfs.cnf.additionalParams.vdu_mapping.VDU1: "web" is Deployment default/web and StatefulSet default/web; it must be one object',
      ],
    ],
    [
      "two VDUs of one object",
      web,
      { vdus: { VDU1: "web", VDU2: "web" } },
      [
        "vnfm:vnfs.cnf.additionalParams.vdu_mapping.VDU2: Deployment default/web is already VDU VDU1; set another object, or none for one of them",
      ],
    ],
    [
      "a DaemonSet with an aspect",
      web.replace("Deployment", "DaemonSet"),
      { vdus: { VDU1: "web" }, counts: { VDU1: 2 }, aspects: { size: aspect } },
      [
        "vnfm:vnfs.cnf.scale: VDU VDU1: DaemonSet default/web runs one pod on each node and cannot be scaled; remove the VDU from aspect size",
      ],
    ],
    [
      "two of a Pod",
      "{apiVersion: v1, kind: Pod, metadata: {name: p}}",
      { vdus: { VDU1: "p" }, counts: { VDU1: 2 } },
      ["vnfm:vnfs.cnf.scale: VDU VDU1: Pod default/p is one pod and cannot be scaled to 2; use a Deployment"],
    ],
    [
      "manifests that the package does not have",
      web,
      { params: { "lcm-kubernetes-def-files": ["n.yaml", "https://example.com/m.yaml"] } },
      [
        "vnfm:vnfs.cnf.additionalParams.lcm-kubernetes-def-files[0]: n.yaml: the package has no such file",
        "vnfm:vnfs.cnf.additionalParams.lcm-kubernetes-def-files[1]: https://example.com/m.yaml: is a URL; manifests must be in the package, so that a preview shows what is applied",
      ],
    ],
  ])("%s is a fault", (_name, yaml, situation, expected) => {
    expect(planned(yaml, situation).faults).toEqual(expected);
  });

  test("a DaemonSet without an aspect has what the nodes give", () => {
    const { plan, faults } = planned(web.replace("Deployment", "DaemonSet"), {
      vdus: { VDU1: "web" },
      counts: { VDU1: 1 },
    });
    expect(faults).toEqual([]);
    expect(plan.vnfcs.map(({ replicas }) => replicas)).toEqual([undefined]);
  });

  test("an autoscaler has the replicas for itself", () => {
    const hpa = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: h}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}`;
    const { plan } = planned(web + hpa, { vdus: { VDU1: "web" }, counts: { VDU1: 2 } });
    expect(at(get(plan, "deployment-default/web").object, "spec", "replicas")).toBeUndefined();
    expect(plan.vnfcs.map(({ replicas }) => replicas)).toEqual([undefined]);
    expect(plan.warnings).toEqual([
      "vnfm:vnfs.cnf: VDU VDU1: HorizontalPodAutoscaler default/h determines the replicas of Deployment default/web; the scale level is ignored",
    ]);
  });
});

test("an object that could not be read may be that of a VDU, of which nothing is said then", () => {
  const unread = web.replace("{name: web}", "{name: web, labels: {tier: 1}}");
  const place = placeOf("vnfm:vnfs", "cnf");
  expect(() => planned(unread, { vdus: { VDU1: "web", VDU2: "db" } }, place)).toThrow(
    "tier is 1, which is not a string",
  );
  expect(place.findings.texts).toEqual([]);
});

describe("objects", () => {
  test("have no fields that only a server writes", () => {
    const { plan } = planned(
      "{apiVersion: v1, kind: Service, metadata: {name: s, uid: u, resourceVersion: '1', managedFields: []}, status: {loadBalancer: {}}}",
    );
    expect(get(plan, "service-default/s").object).toEqual({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "s", namespace: "default", annotations: { "pulumi.com/skipAwait": "true" } },
    });
  });

  test("the annotation in which a Secret's data stands in plain is left out", () => {
    const { plan } = planned(`
apiVersion: v1
kind: Secret
metadata:
  name: s
  annotations:
    kept: "yes"
    deployment.kubernetes.io/revision: "3"
    kubectl.kubernetes.io/last-applied-configuration: '{"data":{"password":"aGlkZGVu"}}'
data: {password: aGlkZGVu}
`);
    expect(get(plan, "secret-default/s").object.metadata).toEqual({
      name: "s",
      namespace: "default",
      annotations: { kept: "yes" },
    });
  });

  test("a Secret is secret", () => {
    const { plan } = planned(
      "{apiVersion: v1, kind: Secret, metadata: {name: s}}\n---\n{apiVersion: example.com/v1, kind: Secret, metadata: {name: s}}",
    );
    expect(plan.objects.map(({ key, secret }) => [key, secret])).toEqual([
      ["cnf-secret-default/s", true],
      ["cnf-secret.example.com-s", false],
    ]);
  });

  test.each(["", "# nothing\n", "---\n---\n", "{apiVersion: v1, kind: List, items: }"])(
    "a file without an object is a fault: %j",
    (yaml) => {
      expect(packageFaults(yaml)).toEqual(["m.yaml: contains no Kubernetes object; remove it from the list"]);
    },
  );

  test("are faults before anything starts, all at once, if they cannot be applied", () => {
    expect(
      packageFaults(`
{apiVersion: policy/v1, kind: Eviction}
---
{apiVersion: v1, kind: Pod, metadata: {generateName: p-}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: default}}
`),
    ).toEqual([
      "m.yaml:2: Eviction: has no metadata.name; it is that of the object whose order it sets",
      "m.yaml:4: Pod p-: has metadata.generateName and no metadata.name; server-side apply needs a name",
      "m.yaml:8: ConfigMap default/c: is already defined in m.yaml, document 3; remove one of the two",
    ]);
  });
});

describe("what the API would refuse half way is a fault before anything starts:", () => {
  const map = (content: string) => `{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, ${content}}`;
  const secret = (content: string) => map(content).replace("ConfigMap", "Secret");
  const text = (length: number) => "x".repeat(length);
  const base64 = (length: number) => Buffer.alloc(length).toString("base64");
  const MIB = 1 << 20;
  const values = (size: string) =>
    `has ${size} of values, and the API accepts 1 MiB; split it, or store large files on a volume or in an image`;

  test.each([
    [map(`data: {a: ${text(MIB)}, b: x}`), `ConfigMap c: ${values("1.01 MiB")}`],
    [
      map(`data: {a: ${text(MIB / 2)}}, binaryData: {b: ${base64(MIB / 2 + 1)}}`),
      `ConfigMap c: ${values("1.01 MiB")}`,
    ],
    [secret(`data: {a: ${base64(MIB)}}, stringData: {b: x}`), `Secret c: ${values("1.01 MiB")}`],
    [
      `{apiVersion: example.com/v1, kind: C, metadata: {name: c, annotations: {a: ${text(MIB / 4)}}}}`,
      "C c: has 257 KiB of annotations, and the API accepts 256 KiB; shorten them",
    ],
    [
      `{apiVersion: example.com/v1, kind: C, metadata: {name: c}, spec: {a: ${text(1.5 * MIB)}}}`,
      "C c: has 1.51 MiB of content, and the API accepts 1.5 MiB; split it",
    ],
  ])("an object that is too large", (yaml, message) => {
    expect(packageFaults(yaml)).toEqual([`m.yaml:1: ${message}`]);
  });

  test.each([
    map(`data: {a: ${text(MIB)}}`),
    map(`binaryData: {a: ${base64(MIB)}}`),
    secret(`data: {a: ${base64(MIB)}}`),
    secret(`data: {a: ${base64(MIB)}}, stringData: {a: x}`),
    // it is left out
    map(`data: {}`).replace(
      "{name: c}",
      `{name: c, annotations: {kubectl.kubernetes.io/last-applied-configuration: ${text(MIB)}}}`,
    ),
  ])("except a name of exactly the maximum length", (yaml) => {
    expect(packageFaults(yaml)).toEqual([]);
  });

  test.each([
    ["policy/v1beta1", "PodDisruptionBudget", "v1.25; use policy/v1, whose fields may differ"],
    ["policy/v1beta1", "PodSecurityPolicy", "v1.25; it has no successor"],
    ["extensions/v1beta1", "Deployment", "v1.16; use apps/v1, whose fields may differ"],
    ["extensions/v1beta1", "Ingress", "v1.22; use networking.k8s.io/v1, whose fields may differ"],
    ["autoscaling/v2beta2", "HorizontalPodAutoscaler", "v1.26; use autoscaling/v2, whose fields may differ"],
    ["batch/v1beta1", "CronJob", "v1.25; use batch/v1, whose fields may differ"],
  ])("%s %s, which the cluster's Kubernetes has no more", (apiVersion, kind, rest) => {
    const yaml = `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}}`;
    expect(packageFaults(yaml, { kubernetesVersion: "v1.33.0" })).toEqual([
      `m.yaml:1: ${kind} a: ${apiVersion} was removed in Kubernetes ${rest}`,
    ]);
    // elsewhere the cluster is asked
    expect(packageFaults(yaml)).toEqual([]);
  });

  test.each([
    ["flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "v1.31.0"],
    ["networking.k8s.io/v1beta1", "IPAddress", "v1.33.0"],
    ["constructor/v1", "toString", "v1.33.0"],
    ["policy/v1", "PodDisruptionBudget", "v1.33.0"],
  ])("except %s %s, which it has", (apiVersion, kind, kubernetesVersion) => {
    const yaml = `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}}`;
    expect(packageFaults(yaml, { kubernetesVersion })).toEqual([]);
  });
});

describe("the checksum", () => {
  const user = (configMap: string, of: string): string => `
apiVersion: apps/v1
kind: ${of}
metadata: {name: ${configMap}-${of.toLowerCase()}}
spec: {template: {spec: {containers: [{name: c, image: i, envFrom: [{configMapRef: {name: ${configMap}}}]}]}}}
---`;
  const yaml = (value: string): string =>
    `${user("a", "Deployment")}${user("b", "StatefulSet")}${user("absent", "DaemonSet")}
{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: "${value}", l: m}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: b}, data: {k: v}}`;
  const sums = (text: string): unknown[] =>
    planned(text)
      .plan.objects.map(({ object }) => at(object, "spec", "template", "metadata", "annotations"))
      .filter(Boolean);

  test("changes only for users of a changed ConfigMap", () => {
    const [one, other] = [sums(yaml("1")), sums(yaml("2"))];
    expect(one).toHaveLength(2);
    expect(one.filter((sum, i) => JSON.stringify(sum) !== JSON.stringify(other[i]))).toHaveLength(1);
  });

  test("does not change with the order of keys", () => {
    expect(sums(yaml("1").replace('{k: "1", l: m}', '{l: m, k: "1"}'))).toEqual(sums(yaml("1")));
  });
});

test("the same CNF twice has the same plan but for its name", () => {
  const keys = (instance: string): string[] => Object.keys(dependencies(planned(web, { instance }).plan));
  expect(keys("a")).toEqual(keys("b"));
});
