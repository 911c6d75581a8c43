import fc from "fast-check";
import { SettingsFault } from "../../../components/settings/model";
import { kubeconfig } from "../fixtures";
import { checkArtefacts, readBack } from "./artefacts";
import { configWith, INSTALLATION as K, planOf } from "./support";

const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\ns3cret\n-----END OPENSSH PRIVATE KEY-----\n";

/** Texts that would do something where they are taken for code. Each has `pwned` in it. */
const HOSTILE = [
  "'; touch /tmp/pwned; '",
  '"; touch /tmp/pwned; "',
  "$(touch /tmp/pwned)",
  "`touch /tmp/pwned`",
  "${pwned:?}",
  "${POD_CIDR}pwned",
  "@CERTIFICATE_KEY@pwned",
  "pwned\n---\nkind: Evil",
  "pwned\nExecStartPre=/bin/touch /tmp/pwned",
  "pwned\0",
  "pwned\u001b[2J",
  "pwned\u2028next",
  "pwned\u202egpj",
  "--- # pwned",
  "&pwned *pwned",
  "!!js/function pwned",
  "{{ pwned }}: [",
  "pwned: value",
  "%pwned%s%n",
  "-pwned --flag",
  "../../../pwned",
  "/pwned",
  "\\pwned\\",
  'pwned\\" X=\\"',
  "pẃnéd-ünïcödé-🙂 pwned",
  "pwned".repeat(2000),
  "__proto__",
  "constructor",
];

/** Values of every wrong type. */
const WRONG = [null, 1e300, "", [], ["pwned"], { pwned: "pwned" }];

const SECRETS = ["password", "private_key", "kubeconfig", "http_proxy", "https_proxy"];

/** A valid config with a value at nearly every setting. */
function full(): Record<string, unknown> {
  return configWith({
    "vnf-a.flavour": "simple",
    "vnf-a.instantiationLevel": "instantiation_level_1",
    "vnf-a.images": { masterNode: "debian-12" },
    "vnf-a.flavors": { workerNode: "m1.small" },
    "vnf-a.extVirtualLinks.masterNode_CP1.subnet": "a subnet",
    [`${K}.vim_name`]: "vim",
    [`${K}.kubernetes_version`]: "v1.33.0",
    [`${K}.cni_manifest_path`]: "vnf-packages/web-cnf/Files/kubernetes/service.yaml",
    [`${K}.script_path`]: "test/run.sh",
    [`${K}.cni_ports`]: ["udp/8472"],
    [`${K}.proxy`]: {
      http_proxy: "http://user:s3cret@proxy:3128",
      https_proxy: "http://user:s3cret@proxy:3128",
      no_proxy: "example.org",
      k8s_node_cidr: "198.18.0.0/16",
    },
    [`${K}.private_registry_connection_info`]: [
      {
        connection_type: "1",
        server: "registry.example:5000",
        username: "puller",
        password: "s3cret",
        hosts_string: "198.18.0.9 registry.example",
      },
    ],
    [`${K}.master_node.username`]: "debian",
    [`${K}.master_node.password`]: "s3cret",
    [`${K}.master_node.cluster_cp_name`]: "masterNode_CP1",
    [`${K}.worker_node.private_key`]: KEY,
    [`${K}.worker_node.vdu_id`]: "workerNode",
    [`${K}.worker_node.nic_cp_name`]: "workerNode_CP2",
    [`${K}.kubeadm`]: {
      ignore_preflight_errors: ["Swap"],
      cluster_configuration: { dns: { imageTag: "v1" } },
      kubelet_configuration: { failSwapOn: false },
    },
    "vnf-b.additionalParams.lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"],
    "vnf-b.additionalParams.vdu_mapping": { web: { kind: "Deployment", name: "web" } },
    "vnf-b.readyTimeout": "10m",
    "vnf-c": {
      package: "vnf-packages/web-cnf",
      vim: { kubeconfig: kubeconfig("s3cret") },
      additionalParams: { "lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"] },
    },
    "vnf-d": {
      package: "vnf-packages/web-cnf",
      vim: { stack: "organization/vnfm/clusters", vim_name: "cluster-a" },
      additionalParams: { "lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"] },
    },
  });
}

type Path = readonly string[];

/** The places of a config: leaves, and the maps and lists that they are in. */
function placesIn(value: unknown, path: Path = []): { leaves: Path[]; maps: Path[] } {
  if (typeof value !== "object" || value === null) return { leaves: [path], maps: [] };
  const inner = Object.entries(value).map(([key, item]) => placesIn(item, [...path, key]));
  return {
    leaves: inner.flatMap(({ leaves }) => leaves),
    maps: [path, ...inner.flatMap(({ maps }) => maps)],
  };
}

/** The config with another value at a place; undefined removes it. */
function changed(config: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const entries = Object.entries(config as object).filter(([name]) => name !== key || value !== undefined);
  const result = new Map<string, unknown>(entries);
  if (rest.length > 0) result.set(key, changed(result.get(key) ?? {}, rest, value));
  else if (value !== undefined) result.set(key, value);
  return Array.isArray(config) ? [...result.values()] : Object.fromEntries(result);
}

/** Either faults that an operator can read, or plans that carry each text as data. */
function check(config: unknown, secrets: readonly string[] = []): void {
  try {
    checkArtefacts(planOf(config));
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    expect(error.faults.filter((fault) => !/^(vnfm:vnfs|VNF package )/.test(fault))).toEqual([]);
    const text = error.faults.join("\n  ");
    expect(text).not.toMatch(/\n\s+at |TypeError|\[object|s3cret/);
    // a fault of a package has lines
    expect(text.replaceAll("\n  ", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
}

/** The cluster, the CNF on it, and the instance that a place is in: the others cost time. */
function alone([instance]: Path): unknown {
  if (instance === undefined) return config;
  const { "vnf-a": cluster, "vnf-b": cnf, [instance]: own } = config;
  return { "vnf-a": cluster, "vnf-b": cnf, [instance]: own };
}

const config = full();
const { leaves, maps } = placesIn(config);
const isSecret = (path: Path) => SECRETS.includes(path.at(-1) ?? "");

it("begins with a config that is valid", () => {
  expect(planOf(config).map(({ name }) => name)).toEqual(["vnf-a", "vnf-b", "vnf-c", "vnf-d"]);
  expect(leaves.length).toBeGreaterThan(40);
});

it.each(leaves.map((path) => [path.join("."), path] as const))("takes any text at %s as data", (_, path) => {
  for (const text of HOSTILE) check(changed(alone(path), path, text), isSecret(path) ? ["pwned"] : []);
});

it("refuses or takes any value of another type, and a setting that is missing", () => {
  for (const path of [...leaves, ...maps]) {
    for (const value of [...WRONG, undefined]) {
      check(changed(alone(path), path, value), isSecret(path) ? ["pwned"] : []);
    }
  }
});

it("refuses or takes any key in any map", () => {
  for (const path of maps) {
    for (const key of [
      "$(pwned)",
      "a\nb",
      "\0",
      "a/b~c",
      "0",
      "",
      "pwned".repeat(2000),
      "__proto__",
      "constructor",
    ]) {
      check(changed(alone(path), [...path, key], "pwned"));
    }
  }
});

it("refuses or takes any few changes together", () => {
  // fast-check's own unit for it, binary, first builds a table of all 1.1 million
  const character = fc.integer({ max: 0x10ffff, min: 0 }).map((point) => String.fromCodePoint(point));
  const change = fc.record({
    path: fc.constantFrom(...leaves, ...maps),
    value: fc.oneof(
      fc.constantFrom<unknown>(...HOSTILE, ...WRONG),
      fc.string({ unit: character }),
      fc.jsonValue(),
    ),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 2, maxLength: 4 }), (changes) => {
      // an earlier change may have put something else in the place of a later one's map
      const apply = (result: unknown, { path, value }: (typeof changes)[number]): unknown =>
        path.every((_, i) => typeof at(result, path.slice(0, i)) === "object")
          ? changed(result, path, value)
          : result;
      check(changes.reduce(apply, config));
    }),
    { seed: 20261121, numRuns: 100 },
  );
});

it("gives every text to the shell as it is", () => {
  readBack();
});

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | null)?.[key] ?? null,
    value,
  );
}
