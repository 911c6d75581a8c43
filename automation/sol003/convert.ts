import { basename } from "node:path";
import { textOf } from "../../components/base/findings";
import { jsonData } from "../../components/base/json";
import { fields, isFields, items, text, type Fields } from "../../components/kube/objects/object";
import { parseSettings } from "../../components/settings/parse";
import {
  assertConverted,
  doubles,
  LONGEST,
  readSource,
  settingName,
  type Conversion,
  type Converted,
  type Settings,
  type SourceFile,
} from "../conversion/conversion";
import { combined, needless, taken, type Row } from "../conversion/taken";
import { extVirtualLinks } from "./ext-virtual-links";
import { withoutSecrets } from "./secrets";

/** The package of a kubeadm cluster, and a placeholder for all others: a request has only the id of a VNFD. */
const PACKAGES = { cluster: "vnf-packages/kubernetes-cluster", other: "my-package" };

/** The attributes of an InstantiateVnfRequest that are no settings of networks: SOL003 V3.3.1, 5.5.2.4. */
const ROWS: readonly Row[] = [
  { at: "flavourId", to: "flavour", read: (value) => ({ value }) },
  { at: "instantiationLevelId", to: "instantiationLevel", read: (value) => ({ value }) },
  { at: "additionalParams", to: "additionalParams", read: (value) => ({ value }) },
  needless("vimConnectionInfo"),
  needless("localizationLanguage"),
];
const UNKNOWN = "has no setting";
const PARAMS_OF_CNF = ["lcm-kubernetes-def-files", "using_helm_install_param"];

/**
 * Converts bodies of InstantiateVnfRequests of SOL003, as clients of Tacker send them, to settings of VNF instances.
 * @param paths a JSON file for each instance, which gets the name of the file
 * @throws Fault with all errors in the files
 */
export function convertRequests(paths: readonly string[]): Conversion {
  return convert(paths.map(readSource));
}

/** See convertRequests. */
export function convert(files: readonly SourceFile[]): Conversion {
  const requests = files.map(({ path, text: json }) => ({ path, request: jsonData(json, path) }));
  const vnfs = requests.map(({ path, request }) => convertRequest(nameOf(path), fields(request)));
  assertConverted([
    ...requests
      .filter(({ request }) => text(fields(request)["flavourId"]) === undefined)
      .map(({ path }) => `${path}: is no InstantiateVnfRequest: it has no flavourId`),
    ...doubles(vnfs).map((name) => `two files would become the instance ${name}: rename one of them`),
  ]);
  return { templates: [], vnfs };
}

function nameOf(path: string): string {
  return settingName(basename(path).replace(/\.json$/, ""), LONGEST.instance);
}

function convertRequest(name: string, request: Fields): Converted {
  const { extVirtualLinks: external, extManagedVirtualLinks: managed, additionalParams, ...others } = request;
  const params = withoutSecrets(additionalParams, `vnfm:vnfs.${name}.additionalParams`);
  const found = combined([
    packageOf(fields(additionalParams)),
    taken({ ...others, additionalParams: params.value }, ROWS, "", UNKNOWN),
    extVirtualLinks(external, managed),
    vimOf(request),
  ]);
  const remarks = [...found.remarks, ...params.remarks];
  return { name, settings: found.settings, remarks: [...remarks, ...faultsOf(name, found.settings)] };
}

function packageOf(params: Fields): Settings {
  const isCluster = "k8s_cluster_installation_param" in params;
  return {
    settings: { package: isCluster ? PACKAGES.cluster : PACKAGES.other },
    remarks: ["package: set the folder or file of the VNF package"],
  };
}

/** The cluster of a CNF; servers are in the cloud of the stack. */
function vimOf({ vimConnectionInfo, additionalParams }: Request): Settings | undefined {
  const vims = isFields(vimConnectionInfo) ? Object.values(vimConnectionInfo) : items(vimConnectionInfo);
  const types = vims.map((vim) => text(fields(vim)["vimType"]) ?? "");
  const params = fields(additionalParams);
  const isCnf =
    types.some((type) => /kubernetes|helm/i.test(type)) || PARAMS_OF_CNF.some((name) => name in params);
  if (isCnf) return { settings: { vim: "vnf-a" }, remarks: [] };
  const why =
    "vimConnectionInfo: the cloud is the one of openstack:cloud; set cloud for another one of clouds.yaml";
  return vims.length === 0 ? undefined : { settings: {}, remarks: [why] };
}

type Request = Readonly<Partial<Record<"vimConnectionInfo" | "additionalParams", unknown>>>;

/** The errors that the stack config would have with these settings. */
function faultsOf(name: string, settings: Fields): readonly string[] {
  return parseSettings({ [name]: settings }).settings.faults.map(textOf);
}
