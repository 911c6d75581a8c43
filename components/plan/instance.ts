import { Findings, type Place } from "../base/findings";
import { notAmong, oneOf } from "../base/nearest";
import { own } from "../base/own";
import type { Settings, VnfSettings } from "../settings/model";
import type { DeploymentFlavour, VnfPackage } from "../vnfd/model";
import { planCnfInstance } from "./cnf-instance";
import type { Sources } from "./context";
import { areTooMany, governedCounts, instanceCounts } from "./instances";
import { isOfObjects } from "./kind";
import type { InstancePlan } from "./model";
import { planServersInstance } from "./servers-instance";
import { withPackageCharts } from "./workload/package-charts";
import { requestReleases, type ReleaseRequest } from "./workload/releases";

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
