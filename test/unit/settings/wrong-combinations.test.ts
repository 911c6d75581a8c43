import { kubeconfig } from "../fixtures";
import { type Contradiction, faultsOf, refuseContradictions, validConfig } from "./support";

const P = "vnf-b.additionalParams";
const MANIFESTS = `${P}.lcm-kubernetes-def-files`;

const COMBINATIONS: readonly Contradiction[] = [
  [
    "no instance by that name",
    { "vnf-b.vim": "vnf-c" },
    'vnf-b.vim: this stack has no instance "vnf-c"; one of vnf-a',
  ],
  [
    "a VIM named like a property of every object",
    { "vnf-b.vim": "constructor" },
    'vnf-b.vim: this stack has no instance "constructor"; one of vnf-a',
  ],
  ["a CNF as VIM", { "vnf-b.vim": "vnf-b" }, 'vnf-b.vim: "vnf-b" is not a cluster; one of vnf-a'],
  [
    "a CNF without VIM",
    { "vnf-b.vim": undefined },
    "vnf-b.vim: is required for a CNF; set a cluster of this stack, a VIM of another stack, or a kubeconfig",
  ],
  [
    "an empty VIM",
    { "vnf-b.vim": "" },
    "vnf-b.vim: must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
  ],
  [
    "a VIM for a cluster",
    { "vnf-a.vim": "vnf-a" },
    "vnf-a.vim: is for a CNF; add additionalParams.lcm-kubernetes-def-files or using_helm_install_param, or remove it",
  ],
  [
    "integers that are rounded",
    {
      [`${P}.variables`]: { A: 12345678901234567890, B: Number.MAX_SAFE_INTEGER, C: "12345678901234567890" },
    },
    `${P}.variables.A: is a number of 2^53 or more, which is not kept exactly; quote it if it is a string`,
  ],
  [
    "a kubeconfig that is broken behind all that says how to reach the cluster",
    { "vnf-b.vim": { kubeconfig: `${kubeconfig("c")}\nhunter2: @hunter2\n` } },
    "vnf-b.vim.kubeconfig: the secret is not a kubeconfig; write the whole file, with a current-context and the server of its cluster",
  ],
  [
    "a kubeconfig that is no YAML",
    { "vnf-b.vim": { kubeconfig: "{hunter2" } },
    "vnf-b.vim.kubeconfig: the secret is not a kubeconfig; write the whole file, with a current-context and the server of its cluster",
  ],
  [
    "a kubeconfig without a current context",
    { "vnf-b.vim": { kubeconfig: kubeconfig("x").replace("current-context: x", "") } },
    "vnf-b.vim.kubeconfig: the secret is not a kubeconfig; write the whole file, with a current-context and the server of its cluster",
  ],
  [
    "a kubeconfig with another current context",
    { "vnf-b.vim": { kubeconfig: kubeconfig("x").replace("current-context: x", "current-context: y") } },
    "vnf-b.vim.kubeconfig: the secret is not a kubeconfig; write the whole file, with a current-context and the server of its cluster",
  ],
  [
    "a kubeconfig without a server",
    { "vnf-b.vim": { kubeconfig: kubeconfig("x").replace("https://", "") } },
    "vnf-b.vim.kubeconfig: the secret is not a kubeconfig; write the whole file, with a current-context and the server of its cluster",
  ],
  [
    "a kubeconfig and more",
    { "vnf-b.vim": { kubeconfig: kubeconfig("x"), context: "y" } },
    "vnf-b.vim: must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
  ],
  [
    "a kubeconfig that is a map",
    { "vnf-b.vim": { kubeconfig: { token: "hunter2" } } },
    "vnf-b.vim.kubeconfig: the secret must be string; write the whole file, with a current-context and the server of its cluster",
  ],
  [
    "a VIM of another stack without its name",
    { "vnf-b.vim": { stack: "clusters" } },
    "vnf-b.vim: must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
  ],
  [
    "a VIM of another stack and a kubeconfig",
    { "vnf-b.vim": { stack: "clusters", vim_name: "x", kubeconfig: kubeconfig("x") } },
    "vnf-b.vim: must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
  ],
  [
    "a stack of no project",
    { "vnf-b.vim": { stack: "organization/clusters", vim_name: "x" } },
    'vnf-b.vim.stack: "organization/clusters" must match ^([\\w.-]+/[\\w.-]+/)?[\\w.-]+$, as in clusters or organization/vnfm/clusters',
  ],
  [
    "a VIM without kubeconfig",
    { "vnf-b.vim": { kubeConfig: "hunter2" } },
    "vnf-b.vim: must be the name of a VNF of this stack, or an object with stack and vim_name or with a kubeconfig",
  ],
  [
    "servers, which are no cluster, with what is of one",
    {
      "vnf-a.additionalParams": undefined,
      "vnf-b": undefined,
      "vnf-a.rotate": { ssh_key: "1" },
      "vnf-a.evacuate": true,
      "vnf-a.readyTimeout": "20m",
    },
    "vnf-a.rotate: is for a cluster; add additionalParams.k8s_cluster_installation_param or remove it",
    "vnf-a.evacuate: is for a cluster; add additionalParams.k8s_cluster_installation_param or remove it",
    "vnf-a.readyTimeout: is for a cluster or a CNF, and these are only servers; remove it",
  ],
  [
    "a cluster with a namespace",
    { "vnf-a.additionalParams.namespace": "web" },
    "vnf-a.additionalParams.namespace: is for a CNF; add additionalParams.lcm-kubernetes-def-files or using_helm_install_param, or remove it",
  ],
  [
    "a cluster with a vdu_mapping",
    { "vnf-a.additionalParams.vdu_mapping": {} },
    "vnf-a.additionalParams.vdu_mapping: is for a CNF; add additionalParams.lcm-kubernetes-def-files or using_helm_install_param, or remove it",
  ],
  [
    "neither servers nor objects",
    { [MANIFESTS]: undefined, [`${P}.namespace`]: undefined, "vnf-b.vim": undefined },
    "vnf-b: nothing to create; no VDU has an image (set images), and additionalParams has neither manifests (lcm-kubernetes-def-files) nor charts (using_helm_install_param)",
  ],
  [
    "a package that is nowhere",
    { "vnf-b.package": "vnf-packages/nowhere" },
    "VNF package vnf-packages/nowhere is not valid:\n  there is no such folder or zip",
  ],
  [
    "a package that is not a file",
    { "vnf-b.package": "/dev/null" },
    "VNF package /dev/null is not valid:\n  there is no such folder or zip",
  ],
  [
    "a manifest that is not in the package",
    { [MANIFESTS]: ["Files/kubernetes/deploiment.yaml"] },
    `${P}.lcm-kubernetes-def-files[0]: Files/kubernetes/deploiment.yaml: the package has no such file; did you mean "Files/kubernetes/deployment.yaml"?`,
  ],
  [
    "a manifest that is a URL",
    { [MANIFESTS]: ["https://example.org/web.yaml"] },
    `${P}.lcm-kubernetes-def-files[0]: https://example.org/web.yaml: is a URL; manifests must be in the package, so that a preview shows what is applied`,
  ],
  [
    "a manifest outside of the package",
    { [MANIFESTS]: ["../three-tier-cnf/Files/kubernetes/api.yaml"] },
    `${P}.lcm-kubernetes-def-files[0]: ../three-tier-cnf/Files/kubernetes/api.yaml: the package has no such file`,
  ],
  [
    "a manifest that is an absolute path",
    { [MANIFESTS]: ["/etc/passwd"] },
    `${P}.lcm-kubernetes-def-files[0]: /etc/passwd: the package has no such file`,
  ],
  [
    "two CNFs with the same objects",
    {
      "vnf-c": {
        package: "vnf-packages/web-cnf",
        vim: "vnf-a",
        additionalParams: {
          namespace: "web",
          "lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"],
        },
      },
    },
    "vnf-c.additionalParams.namespace: Deployment web/web is also defined by vnf-b, on the same cluster; use a separate namespace for vnf-c",
  ],
  [
    "no network for an external connection point",
    { "vnf-a.extVirtualLinks": {} },
    "vnf-a.extVirtualLinks.virtual_link_external1_1: is required, connection point masterNode_CP1 of VDU masterNode is external",
    "vnf-a.extVirtualLinks.virtual_link_external1_2: is required, connection point workerNode_CP2 of VDU workerNode is external",
  ],
  [
    "an instantiation level of no VNFD",
    { "vnf-b.instantiationLevel": "large" },
    'vnf-b.instantiationLevel: "large" is not one of instantiation_level_1, instantiation_level_2',
  ],
  [
    "a package whose name is too long for a file",
    { "vnf-b.package": "x".repeat(300) },
    `VNF package ${"x".repeat(300)} is not valid:\n  cannot be read: ENAMETOOLONG`,
  ],
  [
    "a package that is not a zip",
    { "vnf-a": undefined, "vnf-b.package": "package.json" },
    "VNF package package.json is not valid:\n  is not a zip",
  ],
  [
    "a package that is no package",
    { "vnf-b.package": "lab" },
    "VNF package lab is not valid:\n  TOSCA-Metadata/TOSCA.meta: is missing, and there is no VNFD (a .yaml file) in the package's root",
  ],
  [
    "a bad package of a VIM",
    { "vnf-a.package": "lab" },
    "VNF package lab is not valid:\n  TOSCA-Metadata/TOSCA.meta: is missing, and there is no VNFD (a .yaml file) in the package's root",
  ],
  [
    "an instance name in capitals",
    { VNF: { package: "p" } },
    "VNF: is not an instance name; use a-z, 0-9 and -, at most 32",
  ],
  [
    "an instance name that is a path",
    { "a/vnf": { package: "p" } },
    '["a/vnf"]: is not an instance name; use a-z, 0-9 and -, at most 32',
  ],
  [
    "an instance name that ends with a hyphen",
    { "vnf-": { package: "p" } },
    "vnf-: is not an instance name; use a-z, 0-9 and -, at most 32",
  ],
  [
    "an instance name of several lines",
    { "a\nb": { package: "p" } },
    '["a\\nb"]: is not an instance name; use a-z, 0-9 and -, at most 32',
    '["a\\nb"]: the key has the control character U+000A; write plain text on one line',
  ],
  [
    "a key of several lines",
    { "vnf-a.scale": { "a\nb": 1 } },
    'vnf-a.scale["a\\nb"]: the key has the control character U+000A; write plain text on one line',
  ],
  [
    "a key that is hidden from a terminal",
    { "vnf-a.images": { "\u001b[8m": "x" } },
    'vnf-a.images["\\u001b[8m"]: the key has the control character U+001B; write plain text on one line',
  ],
  [
    "a key with slashes",
    { "vnf-a.images": { "a/b": 1, "7": 2 } },
    "vnf-a.images.7: 2 must be string",
    'vnf-a.images["a/b"]: 1 must be string',
  ],
  [
    "a key that every object has",
    { "vnf-a.images": JSON.parse('{"__proto__": "x"}') as unknown },
    "vnf-a.images.__proto__: is not a VDU of the VNFD; one of masterNode, workerNode",
  ],
];

refuseContradictions(COMBINATIONS);

it("the parser finds no fault in the config that all of these are made from", () => {
  expect(faultsOf(validConfig())).toEqual([]);
});
