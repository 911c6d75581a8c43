/**
 * VNF instances for programs, such as pipelines and tests. `vnfm` on the command line is the first user of this API.
 */
export type { AdoptRequest } from "./adopt";
export type { Change, Preview } from "./changes/changes";
export type { CheckReport } from "./checks/check";
export type { Finding as SettingsFinding } from "../components/base/findings";
export { Secret } from "../components/base/secret";
export type { Finding } from "./checks/checks";
export { Fault, SettingsFault, UsageFault } from "./fault";
export { MendFault, type Mended } from "./operations/mend";
export { ApplyFault, RefusedFault, type Outcome } from "./operations/operation";
export type { OperationPreview } from "./changes/changes";
export type { SecretName } from "./operations/rotate";
export type { LevelChange } from "./operations/scale";
export type { UpgradeRequest } from "./operations/upgrade-check";
export type { RecoverFinding, RecoverReport } from "./recovery/recover";
export type { RunEvent, RunOptions } from "./run";
export { HeldFault, type Holder } from "./stack/lock";
export type { StackStatus, VnfcStatus, VnfOutput, VnfOutputs, VnfStatus } from "./stack/status";
export type { StackTopology } from "./topology";
export { FORMATS, type Format } from "./topology/formats";
export { VnfmStack, type InstanceSettings, type Patch } from "./vnfm-stack";
