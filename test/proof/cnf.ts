import { clusterVnf } from "../support/configs";
import { objectsCnf } from "../support/workload-cluster";
import type { Edit, Family, Rule } from "./edits";
import { modelOf } from "./model";
import { observe } from "./observe";
import { observeCluster } from "./observe-cluster";

/** The variable part of the manifests of the CNF `web`. */
export interface Web {
  readonly replicas: number;
  /** Content of the ConfigMap that the pods mount. */
  readonly page: string;
  /** Label by which the Deployment selects its pods; it is immutable. */
  readonly track: string;
  /** Number of further ConfigMaps. */
  readonly more: number;
  /** Annotation of the Service. */
  readonly note: string;
}

/** Config of the CNF; undefined if it is terminated. The edits do not change its cluster. */
export interface Config {
  readonly web?: Web;
}

const REPLICAS = 3;
const MORE = 2;
const CLUSTER = "vnf-a";
const CNF = "web";
const BASE: Web = { replicas: 1, page: "first", track: "first", more: 1, note: "first" };

const ofWeb =
  (
    changes: (web: Web, number: number) => readonly (readonly [target: string, change: Partial<Web>])[],
  ): Rule<Config>["options"] =>
  ({ web }, number) =>
    web === undefined
      ? []
      : changes(web, number).map(([target, change]) => ({ target, after: { web: { ...web, ...change } } }));

const objects =
  (names: (edit: Edit<Config>) => readonly string[]): Rule<Config>["mayTouch"] =>
  ({ vnf, kind, key }, edit) =>
    vnf === CNF && (kind === "object" ? names(edit).includes(key) : kind === "command");
const target = objects((edit) => [edit.target]);

const RULES: Readonly<Record<string, Rule<Config>>> = {
  scale: {
    options: ofWeb(({ replicas }) =>
      [replicas - 1, replicas + 1]
        .filter((count) => count >= 1 && count <= REPLICAS)
        .map((count) => ["Deployment web/web", { replicas: count }] as const),
    ),
    mayTouch: target,
  },
  "other content": {
    options: ofWeb((_, number) => [["ConfigMap web/page", { page: `edit-${number}` }]]),
    // pods that mount the ConfigMap are replaced
    mayTouch: objects(() => ["ConfigMap web/page", "Deployment web/web"]),
  },
  "immutable field": {
    options: ofWeb((_, number) => [["Deployment web/web", { track: `edit-${number}` }]]),
    mayTouch: target,
  },
  annotation: {
    options: ofWeb((_, number) => [["Service web/web", { note: `edit-${number}` }]]),
    mayTouch: target,
  },
  "object more": {
    options: ofWeb(({ more }) =>
      more === MORE ? [] : [[`ConfigMap web/more-${more + 1}`, { more: more + 1 }]],
    ),
    mayTouch: target,
  },
  "object less": {
    options: ofWeb(({ more }) => (more === 0 ? [] : [[`ConfigMap web/more-${more}`, { more: more - 1 }]])),
    mayTouch: target,
  },
  terminate: {
    options: ({ web }) => (web === undefined ? [] : [{ target: CNF, after: {} }]),
    mayTouch: ({ vnf }) => vnf === CNF,
  },
  instantiate: {
    options: ({ web }) => (web === undefined ? [{ target: CNF, after: { web: BASE } }] : []),
    mayTouch: ({ vnf }) => vnf === CNF,
  },
};

/** A CNF on a cluster with one control-plane node and one worker, which the edits do not change. */
export const WEB_CNF: Family<Config> = {
  name: "cnf",
  base: { web: BASE },
  rules: RULES,
  write: (folder, { web }) => ({
    [CLUSTER]: clusterVnf(1),
    ...(web && { [CNF]: objectsCnf(folder, "web-package", CLUSTER, manifests(web), { namespace: "web" }) }),
  }),
  observe: async (stack) => {
    const cluster = await stack.cluster(CLUSTER);
    try {
      const ofCloud = await observe(stack.cloud, { [CLUSTER]: ["masterNode", "workerNode"] });
      return modelOf([...ofCloud.values(), ...(await observeCluster(cluster, CLUSTER))]);
    } finally {
      cluster.close();
    }
  },
};

function manifests({ replicas, page, track, more, note }: Web): readonly object[] {
  const labels = { app: "web", track };
  const configMap = (name: string, content: string) => ({
    ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "web" } },
    data: { content },
  });
  return [
    configMap("page", page),
    ...Array.from({ length: more }, (_, i) => configMap(`more-${i + 1}`, "more")),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "web", annotations: { note } },
      spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", namespace: "web" },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            terminationGracePeriodSeconds: 0,
            containers: [
              {
                ...{ name: "web", image: "nginx:1.27", imagePullPolicy: "IfNotPresent" },
                volumeMounts: [{ name: "page", mountPath: "/usr/share/nginx/html" }],
              },
            ],
            volumes: [{ name: "page", configMap: { name: "page" } }],
          },
        },
      },
    },
  ];
}
