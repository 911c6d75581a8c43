import { configWith, faultsOf } from "./support";

const EMPTY = "is empty; give a value or leave it out";
const TIME = String.raw`must match ^[1-9]\d{0,4}[smh]$, as in 90s or 10m`;
const LABEL = "must match ^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$, as in web-1";

const NO_VNFC = "is no VNFC of the instance; one of all, masterNode-1, workerNode-1, workerNode-2";

/** Setting, wrong value (undefined: left out), what is said of it; where the fault is deeper in the value: there. */
type Row = readonly [setting: string, value: unknown, message: string, at?: string];

const INSTANCE: readonly Row[] = [
  ["package", undefined, "is required"],
  ["package", 7, "7 must be string"],
  ["package", true, "true must be string"],
  ["package", ["vnf-packages/web-cnf"], "a list must be string"],
  ["package", "", EMPTY],
  ["packages", "x", 'unknown setting; did you mean "package"?'],
  ["flavour", 1, "1 must be string"],
  [
    "flavour",
    "complex",
    '"complex" is not one of ha, ha-external-lb, ha-octavia, ha-storage, simple, simple-storage',
  ],
  [
    "flavour",
    "constructor",
    '"constructor" is not one of ha, ha-external-lb, ha-octavia, ha-storage, simple, simple-storage',
  ],
  ["flavour", null, "null must be string"],
  ["instantiationLevel", 2, "2 must be string"],
  [
    "instantiationLevel",
    "instantiation_level_3",
    '"instantiation_level_3" is not one of instantiation_level_1, instantiation_level_2; did you mean "instantiation_level_1"?',
  ],
  ["instantiationLevel", "toString", '"toString" is not one of instantiation_level_1, instantiation_level_2'],
  ["instantiation_level", "x", 'unknown setting; did you mean "instantiationLevel"?'],
  ["scale", 2, "2 must be object"],
  ["scale", [1], "a list must be object"],
  ["scale.worker_instance", "2", '"2" must be integer'],
  ["scale.worker_instance", -1, "-1 must be >= 0"],
  ["scale.worker_instance", 1.5, "1.5 must be integer"],
  ["scale.worker_instance", null, "null must be integer"],
  ["scale.worker_instance", true, "true must be integer"],
  ["scale.worker_instance", 50, "scale level 50 is above the VNFD's max_scale_level 49"],
  ["scale.worker_instance", 1e21, "scale level 1e+21 is above the VNFD's max_scale_level 49"],
  ["scale.workers", 1, "is no scaling aspect of the VNFD; one of worker_instance"],
  ["scale.constructor", 1, "is no scaling aspect of the VNFD; one of worker_instance"],
  ["Scale", {}, 'unknown setting; did you mean "scale"?'],
  ["extVirtualLinks", "public", '"public" must be object'],
  ["extVirtualLinks.masterNode_CP1", "public", '"public" must be object'],
  ["extVirtualLinks.masterNode_CP1.network", undefined, "is required"],
  ["extVirtualLinks.masterNode_CP1.network", 4, "4 must be string"],
  ["extVirtualLinks.masterNode_CP1.network", "", EMPTY],
  ["extVirtualLinks.masterNode_CP1.subnet", false, "false must be string"],
  ["extVirtualLinks.masterNode_CP1.subnets", "s", 'unknown setting; did you mean "subnet"?'],
  [
    "extVirtualLinks.masterNode_CP9",
    { network: "n" },
    'is no external connection point of the VNFD; one of masterNode_CP1, virtual_link_external1_1, virtual_link_external1_2, workerNode_CP2; did you mean "masterNode_CP1"?',
  ],
  ["images", "debian", '"debian" must be object'],
  ["images.masterNode", 12, "12 must be string"],
  ["images.masterNode", "", EMPTY],
  ["images.master", "debian-12", "is no VDU of the VNFD; one of masterNode, workerNode"],
  ["images.hasOwnProperty", "x", "is no VDU of the VNFD; one of masterNode, workerNode"],
  ["flavors", [], "a list must be object"],
  ["flavors.workerNode", { vcpus: 2 }, "a map must be string"],
  [
    "flavors.worker_node",
    "m1.small",
    'is no VDU of the VNFD; one of masterNode, workerNode; did you mean "workerNode"?',
  ],
  [
    "vim",
    7,
    "must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
  ],
  [
    "vim",
    [],
    "must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
  ],
  [
    "vim",
    {},
    "must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
  ],
  ["readyTimeout", 600, "600 must be string"],
  ["readyTimeout", "10", `"10" ${TIME}`],
  ["readyTimeout", "0s", `"0s" ${TIME}`],
  ["readyTimeout", "10 min", `"10 min" ${TIME}`],
  ["readyTimeout", "-5m", `"-5m" ${TIME}`],
  ["readyTimeout", "1h30m", `"1h30m" ${TIME}`],
  ["readyTimeout", "999999h", `"999999h" ${TIME}`],
  ["heal", "workerNode-2", '"workerNode-2" must be object'],
  ["heal", ["workerNode-2"], "a list must be object"],
  ["heal", null, "null must be object"],
  ["heal", { "workerNode-1": 1 }, "1 must be string", ".workerNode-1"],
  ["heal", { "workerNode-1": "" }, EMPTY, ".workerNode-1"],
  ["heal", { workerNode: "1" }, `${NO_VNFC}; did you mean "workerNode-1"?`, ".workerNode"],
  ["heal", { "constructor-1": "1" }, NO_VNFC, ".constructor-1"],
  ["additionalParams", "k8s", "a text must be object"],
  [
    "additionalParams.k8s_cluster_installation_params",
    {},
    'unknown setting; did you mean "k8s_cluster_installation_param"?',
  ],
  ["additionalParams.lcm-operation-user-data", 1, "1 must be string"],
  ["additionalParams.lcm-operation-user-data-class", [], "a list must be string"],
  [
    "additionalParams.helmchart",
    {},
    "unknown setting; known are k8s_cluster_installation_param, lcm-kubernetes-def-files, namespace, vdu_mapping, lcm-operation-user-data, lcm-operation-user-data-class",
  ],
];

const CNF: readonly Row[] = [
  ["lcm-kubernetes-def-files", [], EMPTY],
  ["lcm-kubernetes-def-files", "a.yaml", '"a.yaml" must be array'],
  ["lcm-kubernetes-def-files", [1], "1 must be string", "[0]"],
  ["lcm-kubernetes-def-files", [""], EMPTY, "[0]"],
  [
    "lcm-kubernetes-def-files",
    ["Files/kubernetes/deployment.yaml", "Files/kubernetes/deployment.yaml"],
    "is there already; leave one of the two",
    "[0]",
  ],
  ["namespace", "Web", `"Web" ${LABEL}`],
  ["namespace", "web_1", `"web_1" ${LABEL}`],
  ["namespace", "-web", `"-web" ${LABEL}`],
  ["namespace", "", `"" ${LABEL}`],
  ["namespace", 1, "1 must be string"],
  ["namespace", "x".repeat(64), `"${"x".repeat(57)}..." ${LABEL}`],
  ["vdu_mapping", [], "a list must be object"],
  ["vdu_mapping.web", "web", '"web" must be object'],
  ["vdu_mapping.web", { kind: "Deployment" }, "is required", ".name"],
  ["vdu_mapping.web", { name: "web" }, "is required", ".kind"],
  [
    "vdu_mapping.web",
    { kind: "deployment", name: "web" },
    '"deployment" is not one of Deployment, StatefulSet, ReplicaSet, DaemonSet, Pod',
    ".kind",
  ],
  [
    "vdu_mapping.web",
    { kind: "CronJob", name: "web" },
    '"CronJob" is not one of Deployment, StatefulSet, ReplicaSet, DaemonSet, Pod',
    ".kind",
  ],
  ["vdu_mapping.web", { kind: "Pod", name: "" }, EMPTY, ".name"],
  ["vdu_mapping.web", { kind: "Pod", name: "web" }, 'the manifests have no Pod "web"'],
  [
    "vdu_mapping.web",
    { kind: "Deployment", name: "wep" },
    'the manifests have no Deployment "wep"; did you mean "web"?',
  ],
  [
    "vdu_mapping.www",
    { kind: "Deployment", name: "web" },
    'the VNFD has no such VDU; one of web; did you mean "web"?',
  ],
  [
    "vdu_mapping.web",
    { kind: "Deployment", name: "web", namespace: "x" },
    "unknown setting; known are kind, name",
    ".namespace",
  ],
  ["lcm-kubernetes-def-file", ["a"], 'unknown setting; did you mean "lcm-kubernetes-def-files"?'],
];

const TABLES: readonly (readonly [what: string, path: string, rows: readonly Row[]])[] = [
  ["an instance", "vnf-a", INSTANCE],
  ["a CNF", "vnf-b.additionalParams", CNF],
];

describe.each(TABLES)("wrong settings of %s", (_, path, rows) => {
  it.each(rows.map((row) => [row]))("%j", ([setting, value, message, at = ""]) => {
    expect(faultsOf(configWith({ [`${path}.${setting}`]: value }))).toEqual([
      `${path}.${setting}${at}: ${message}`,
    ]);
  });
});
