import type { Place } from "../base/findings";
import type { Settings, VnfSettings } from "../settings/model";
import type { DeploymentFlavour, PackageFiles, VnfPackage } from "../vnfd/model";
import type { FormerOutputs } from "./former-outputs";
import type { RenderedCharts } from "./workload/releases";

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
