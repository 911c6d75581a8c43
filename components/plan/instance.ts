import { Findings, type Place } from "../base/findings";
import { notAmong, oneOf } from "../base/nearest";
import { own } from "../base/own";
import type { Settings, VnfSettings } from "../settings/model";
import type { DeploymentFlavour, PackageFiles, VnfPackage } from "../vnfd/model";
import { planCnfInstance } from "./cnf-instance";
import type { FormerOutputs } from "./former-outputs";
import { areTooMany, governedCounts, instanceCounts } from "./instances";
import { isOfObjects } from "./kind";
import type { InstancePlan } from "./model";
import { planServersInstance } from "./servers-instance";
import { withPackageCharts } from "./workload/package-charts";
import { requestReleases, type ReleaseRequest, type RenderedCharts } from "./workload/releases";

/** The files that planning may read. */
export interface Sources {
  /** @throws PackageFault if the package is not valid. */
  readonly loadPackage: (location: string) => VnfPackage;
  /** Reads a file in the folder of Pulumi.yaml; undefined if it does not exist. */
  readonly readProjectFile: (path: string) => string | undefined;
  /** Reads the files of a chart in the folder of Pulumi.yaml; undefined if it does not exist. @default no charts */
  readonly openProjectChart?: (path: string) => PackageFiles | undefined;
  /**
   * The rendered charts of the stack's releases. @default not known: the plan has the releases without their objects
   */
  readonly charts?: RenderedCharts;
  /** Data for comparisons with the last run and the current time. @default not known: these checks are left out */
  readonly run?: { readonly former: FormerOutputs; readonly now: number };
}

/** A VNF instance that can be planned. */
export interface InstanceContext {
  readonly name: string;
  readonly place: Place;
  readonly settings: VnfSettings;
  readonly vnfPackage: VnfPackage;
  readonly flavour: DeploymentFlavour;
  /** Number of VNFCs by VDU. */
  readonly counts: Readonly<Record<string, number>>;
  /** Settings of all instances. */
  readonly all: Settings;
  readonly sources: Sources;
}

/**
 * Plans one VNF instance and, if it is a cluster, its addons.
 * @returns an empty list if its package has no such deployment flavour, or if it would have too many VNFCs
 * @throws PackageFault if the package is not valid
 */
export function planInstance(
  name: string,
  written: VnfSettings,
  all: Settings,
  sources: Sources,
  faults: Findings,
): InstancePlan[] {
  const place = faults.instance(name);
  const vnfPackage = sources.loadPackage(written.package);
  const flavour = chooseFlavour(place, written, vnfPackage);
  if (flavour === undefined) return [];
  const settings = withPackageCharts(name, written, flavour);
  const counts = instanceCounts(place, settings, flavour);
  if (areTooMany(place, counts)) return [];
  const context = { name, place, settings, vnfPackage, flavour, counts, all, sources };
  return isOfObjects(settings.additionalParams ?? {})
    ? [planCnfInstance(context)]
    : planServersInstance(context);
}

/**
 * The Helm releases of an instance, whose charts are read before the stack is planned.
 * @returns an empty list for an instance with an error, which planInstance reports
 * @throws PackageFault if the package is not valid
 */
export function releasesOf(
  name: string,
  written: VnfSettings,
  { loadPackage, openProjectChart }: Pick<Sources, "loadPackage" | "openProjectChart">,
): ReleaseRequest[] {
  const faults = new Findings();
  const place = faults.instance(name);
  const vnfPackage = loadPackage(written.package);
  const flavour = chooseFlavour(place, written, vnfPackage);
  if (flavour === undefined) return [];
  const settings = withPackageCharts(name, written, flavour);
  if (settings.additionalParams?.using_helm_install_param === undefined) return [];
  const counts = governedCounts(flavour, instanceCounts(place, settings, flavour));
  const { files } = vnfPackage;
  const requests = requestReleases({
    instance: name,
    place,
    settings,
    flavour,
    files,
    openProjectChart,
    counts,
  });
  return faults.all.length > 0 ? [] : requests;
}

function chooseFlavour(
  place: Place,
  settings: VnfSettings,
  { vnfd }: VnfPackage,
): DeploymentFlavour | undefined {
  const known = Object.keys(vnfd.flavours);
  const id = settings.flavour ?? (known.length === 1 ? known[0] : undefined);
  if (id === undefined) {
    place.get("flavour").fault(`is required because the package has more than one; use ${oneOf(known)}`);
    return undefined;
  }
  const flavour = own(vnfd.flavours, id);
  if (flavour === undefined) place.get("flavour").fault(notAmong(id, known));
  return flavour;
}
