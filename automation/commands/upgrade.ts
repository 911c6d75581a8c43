import { UsageFault } from "../fault";
import { command, option, repeatedOption, word } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING, numberFrom } from "../command-line/options";
import type { UpgradeRequest } from "../operations/upgrade-check";

export const upgradeCommand = command({
  name: "upgrade",
  summary: "replaces the nodes of a cluster with nodes of another version, package or image",
  details:
    "control-plane nodes one at a time, then workers in batches; after a failure the same command continues;\n" +
    "a workload cluster from a template gets another template",
  examples: [
    "upgrade vnf-a --to v1.34.4 --image masterNode=kube-v1.34.4 --image workerNode=kube-v1.34.4",
    "upgrade vnf-a --package vnf-packages/kubernetes-cluster-2 --batch 3 --surge 1",
    "upgrade tenant --template kube-1.34 --template kube-1.35",
  ],
  operands: { vnf: word("VNF") },
  options: {
    to: option("VERSION", "the version of Kubernetes, such as v1.34.4", { read: readVersion }),
    template: repeatedOption(
      "NAME",
      "another template of vnfm:clusterTemplates, for a cluster from a template; several are used in turn",
      (name) => name,
    ),
    package: option("PATH", "the VNF package, relative to the folder of Pulumi.yaml; nodes get its images"),
    image: repeatedOption("VDU=NAME", "the Glance image of a VDU's servers; can be repeated", readImage),
    batch: option("N", "number of workers that are replaced at a time; default: 1", {
      read: numberFrom(1),
    }),
    surge: option("N", "scale levels of workers that are added meanwhile; default: 0", {
      read: numberFrom(0),
    }),
    ...CHANGING,
  },
  read: ({ vnf, stack, json, yes, wait, ...values }) => ({
    ...{ vnf, stack, json, yes, wait },
    request: requestOf(values),
  }),
  run: (call) =>
    runOperation("upgrade", call, (stack, options) => stack.upgrade(call.vnf, call.request, options)),
});

interface UpgradeOptions {
  readonly to?: string;
  readonly template: readonly string[];
  readonly package?: string;
  readonly image: readonly (readonly [vdu: string, image: string])[];
  readonly batch?: number;
  readonly surge?: number;
}

function requestOf({ template, image, ...values }: UpgradeOptions): UpgradeRequest {
  const ofNodes = { ...values, ...(image.length > 0 && { images: Object.fromEntries(image) }) };
  if (template.length > 0) {
    if (Object.keys(ofNodes).length === 0) return { templates: template };
    throw new UsageFault("--template excludes --to, --package, --image, --batch and --surge");
  }
  if (values.to !== undefined || values.package !== undefined || image.length > 0) return ofNodes;
  throw new UsageFault(
    "use one or more of --to VERSION, --package PATH and --image VDU=NAME, or --template NAME",
  );
}

function readVersion(text: string): string {
  if (/^v1\.\d{1,3}\.\d{1,3}$/.test(text)) return text;
  throw new UsageFault(`"${text}" is not a version, such as v1.34.4`);
}

function readImage(text: string): readonly [vdu: string, image: string] {
  const [, vdu, name] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (vdu !== undefined && name !== undefined) return [vdu, name];
  throw new UsageFault(`"${text}" is not a VDU=NAME, such as workerNode=debian-12-kube-v1.34.4`);
}
