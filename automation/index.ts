/** The operations of the `vnfm` command line, for programs: pipelines, tests. */
export { check, type CheckReport } from "./check";
export type { Finding } from "./checks";
export { Fault, UsageFault } from "./fault";
export { heal } from "./heal";
export { HeldFault } from "./lock";
export { mend, type Mended } from "./mend";
export { ApplyFault, type Conduct, type Outcome } from "./operation";
export { PulumiStack } from "./pulumi";
export { recover } from "./recover";
export { release } from "./release";
export { rotate } from "./rotate";
export { scale, type LevelChange } from "./scale";
export { status, type StackStatus } from "./status";
export { upgrade, type UpgradeRequest } from "./upgrade";
