import { at, text, type KubeObject } from "../../components/kube/objects/object";
import { imagesOf } from "../../components/kube/objects/pods";
import { readManifests } from "../../components/kube/manifests/manifests";
import type { CloudNeed } from "../../components/plan/cloud-need";
import { isWorkload, type InstancePlan } from "../../components/plan/model";
import { requiredCharts } from "../../components/plan/required-charts";
import { parseSettings } from "../../components/settings/parse";
import { intentOf } from "./intent";
import type { StackSettings } from "./stack-config";

/** An image or file that a run or a node downloads. The list is for a mirror, or a site without internet. */
export interface Fetched {
  readonly kind: "server" | "container" | "chart" | "apt" | "kubernetes";
  /** Name of the image, URL of the chart or repository, or the version of Kubernetes. */
  readonly name: string;
  /** Digest of a chart, `sha256:...`. */
  readonly digest?: string;
  /** Instances that need it. */
  readonly vnfs: readonly string[];
}

/** The downloads for the instances of a stack config, without queries and without reading charts. */
export function fetchedBy(settings: StackSettings): readonly Fetched[] {
  const plans = [...intentOf(settings).values()].map(({ plan }) => plan);
  const found = [...plans.flatMap(ofPlan), ...ofCharts(settings)];
  const byName = new Map<string, Fetched>();
  for (const { vnf, ...thing } of found) {
    const key = `${thing.kind} ${thing.name} ${thing.digest ?? ""}`;
    const vnfs = [...new Set([...(byName.get(key)?.vnfs ?? []), vnf])].sort();
    byName.set(key, { ...thing, vnfs });
  }
  return [...byName.values()].sort((a, b) => order(a).localeCompare(order(b)));
}

const KINDS = ["server", "container", "chart", "apt", "kubernetes"] as const;
const order = ({ kind, name }: Fetched): string => `${KINDS.indexOf(kind)} ${name}`;

type OfOne = Omit<Fetched, "vnfs"> & { readonly vnf: string };

function ofPlan(plan: InstancePlan): OfOne[] {
  const of = (kind: Fetched["kind"], names: readonly string[]): OfOne[] =>
    names.map((name) => ({ kind, name, vnf: plan.name }));
  if (isWorkload(plan)) {
    const objects = plan.cnf.objects.map(({ object }) => object);
    return [
      ...of("server", plan.kind === "template" ? imagesNeeded(plan.cloudNeeds) : []),
      ...of("container", objects.flatMap(imagesOf)),
      ...of("kubernetes", objects.flatMap(versionOf)),
    ];
  }
  const images = imagesNeeded(plan.cloudNeeds);
  if (plan.kind !== "kubeadm") return of("server", images);
  const { cniManifest, aptRepository, kubernetesVersion } = plan.cluster;
  const cni = readManifests({ read: () => Buffer.from(cniManifest) }, ["CNI"], []);
  return [
    ...of("server", images),
    ...of(
      "container",
      cni.flatMap(({ object }) => imagesOf(object)),
    ),
    ...of("apt", aptRepository === undefined ? [] : [aptRepository.url]),
    ...of("kubernetes", kubernetesVersion === undefined ? [] : [kubernetesVersion]),
  ];
}

/** Names of images. */
function imagesNeeded(needs: readonly CloudNeed[]): readonly string[] {
  return needs.flatMap(({ kind, name }) => (kind === "image" ? name : []));
}

/** The version of Kubernetes of a workload cluster's control plane. */
function versionOf(object: KubeObject): string[] {
  const version = object.kind === "KubeadmControlPlane" ? text(at(object, "spec", "version")) : undefined;
  return version === undefined ? [] : [version];
}

function ofCharts({ vnfs, clusterTemplates, files }: StackSettings): OfOne[] {
  const { settings } = parseSettings(vnfs, clusterTemplates);
  return requiredCharts(settings, files).flatMap(({ instance, request: { chart } }) => {
    if (chart.kind === "package") return [];
    const name = `${chart.url.replace(/\/$/, "")}/${chart.chart}:${chart.version}`;
    return [{ kind: "chart" as const, name, digest: `sha256:${chart.digest}`, vnf: instance }];
  });
}
