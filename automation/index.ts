/** The operations of the `vnfm` command line, for programs: pipelines, tests. */
export { adopt, type AdoptRequest } from "./adopt";
export { check, type CheckReport } from "./checks/check";
export type { Finding } from "./checks/checks";
export { Fault, UsageFault } from "./fault";
export { heal } from "./operations/heal";
export { init, type InitRequest } from "./init";
export { HeldFault } from "./stack/lock";
export { mend, type Mended } from "./operations/mend";
export { ApplyFault, type Conduct, type Outcome } from "./operations/operation";
export { PulumiStack } from "./stack/pulumi";
export { recover } from "./recovery/recover";
export { release } from "./operations/release";
export { rotate } from "./operations/rotate";
export { scale, type LevelChange } from "./operations/scale";
export { status, type StackStatus } from "./stack/status";
export { topology } from "./topology";
export { FORMATS, type Format } from "./topology/formats";
export { upgrade, type UpgradeRequest } from "./operations/upgrade";
