/**
 * The arrows of docs/design.md: each folder of components/ with those that its files may import. All of these stand
 * above it, so no folders form a circle. base/ is for all of them.
 */
const FOLDERS = {
  run: [],
  vnfd: [],
  openstack: [],
  kube: ["vnfd"],
  settings: ["kube"],
  plan: ["settings", "vnfd", "kube"],
  gather: ["plan", "settings", "vnfd", "kube"],
  render: ["plan", "kube"],
  remote: ["plan", "run"],
  deploy: ["plan", "kube", "openstack", "render", "remote", "run"],
  preflight: ["deploy", "gather", "plan", "kube", "openstack"],
  program: ["preflight", "deploy", "gather", "remote", "render", "plan", "settings", "kube", "openstack"],
  provider: ["program", "settings"],
};

/** The same of the folders in plan/ and deploy/, whose own files are what these share and what joins them. */
const PARTS_OF_PLAN = {
  "plan/servers": [],
  "plan/nodes": [],
  "plan/kubeadm": ["plan/servers", "plan/nodes"],
  "plan/workload": [],
  "plan/cluster-api": ["plan/workload", "plan/nodes"],
};
const PARTS_OF_DEPLOY = {
  "deploy/openstack": [],
  "deploy/objects": [],
  "deploy/kubeadm": ["deploy/openstack", "deploy/objects"],
};

/** The folders of automation/, in the same way. */
const FOLDERS_OF_AUTOMATION = {
  conversion: [],
  magnum: ["conversion"],
  sol003: ["conversion"],
  capo: ["conversion"],
  "capi-helm": ["capo", "conversion"],
  "cluster-api": [],
  stack: [],
  changes: ["stack"],
  checks: ["changes", "stack"],
  operations: ["checks", "changes", "stack"],
  recovery: ["checks", "stack"],
  support: ["checks", "stack"],
  rebuild: ["recovery", "operations", "changes", "stack"],
  topology: ["changes", "stack"],
  init: ["stack"],
  new: [],
  adopt: ["operations", "changes", "stack"],
  "command-line": ["operations", "checks", "changes", "stack"],
  commands: [
    "command-line",
    "conversion",
    "magnum",
    "sol003",
    "capo",
    "capi-helm",
    "cluster-api",
    "operations",
    "support",
    "topology",
    "init",
    "new",
    "checks",
    "changes",
    "stack",
  ],
};

/** Folders of plain data and pure functions, which need no engine. */
const PURE = ["base", "vnfd", "openstack", "kube", "settings", "plan", "render"];

/** What asks a Kubernetes API, in the programs of steps and in automation/; the pure ones do not. */
const CLIENT = "^components/kube/client/";

/** What a Pulumi program imports. */
const ENTRY = "^components/index\\.ts$";

/** A pattern of the files in folders of a folder. */
const filesOf = (folders, root = "components") => `^${root}/(${folders.join("|")})/`;

const alongArrows = (folders, root) =>
  Object.entries(folders).map(([folder, imported]) => ({
    name: `arrows-of-${root === undefined ? "" : `${root}-`}${folder.replace("/", "-")}`,
    from: { path: filesOf([folder], root) },
    to: { path: filesOf(Object.keys(folders), root), pathNot: filesOf([folder, ...imported], root) },
  }));

const RULES = [
  ...[FOLDERS, PARTS_OF_PLAN, PARTS_OF_DEPLOY].flatMap((folders) => alongArrows(folders)),
  ...alongArrows(FOLDERS_OF_AUTOMATION, "automation"),
  {
    name: "arrows-of-base",
    from: { path: filesOf(["base"]) },
    to: { path: "^components/", pathNot: filesOf(["base"]) },
  },
  { name: "entry-last", from: { path: "^(components|automation)/", pathNot: ENTRY }, to: { path: ENTRY } },
  {
    name: "pure",
    from: { path: filesOf(PURE) },
    to: { path: "@pulumi/" },
  },
  {
    name: "no-questions-to-clusters",
    from: { path: filesOf(PURE), pathNot: CLIENT },
    to: { path: CLIENT },
  },
  {
    name: "nodes-without-settings",
    comment: "a feature of nodes knows neither kind of clusters: each reads its own settings into a NodeSpec",
    from: { path: filesOf(["plan/nodes"]) },
    to: { path: filesOf(["settings"]) },
  },
  { name: "components-alone", from: { path: "^components/" }, to: { path: "^(automation/|index\\.ts$)" } },
  { name: "no-tools", from: {}, to: { path: "^(lab|test|toolchain)/" } },
  {
    name: "no-circle",
    comment: "excepted: a place in a TOSCA file evaluates functions, whose arguments are places again",
    from: { pathNot: "^components/vnfd/(at|functions|types)[.]ts$" },
    to: { circular: true },
  },
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: RULES.map((rule) => ({ ...rule, severity: "error" })),
  options: {
    // for the arrows an import of types is one as well
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
  },
};
