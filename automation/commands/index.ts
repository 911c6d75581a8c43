import type { Command } from "../command-line/command";
import { adoptCommand } from "./adopt";
import { checkCommand } from "./check";
import { completionCommand } from "./completion";
import { convertCommand } from "./convert";
import { healCommand } from "./heal";
import { imagesCommand } from "./images";
import { initCommand } from "./init";
import { kubeconfigCommand } from "./kubeconfig";
import { mendCommand } from "./mend";
import { newCommand } from "./new";
import { packageCommand } from "./package";
import { previewCommand } from "./preview";
import { rebuildStateCommand } from "./rebuild-state";
import { recoverCommand } from "./recover";
import { releaseCommand } from "./release";
import { restoreCommand } from "./restore";
import { rotateCommand } from "./rotate";
import { scaleCommand } from "./scale";
import { schemaCommand } from "./schema";
import { sshCommand } from "./ssh";
import { statusCommand } from "./status";
import { supportCommand } from "./support";
import { terminateCommand } from "./terminate";
import { topologyCommand } from "./topology";
import { upCommand } from "./up";
import { upgradeCommand } from "./upgrade";

const VERBS: readonly Command[] = [
  newCommand,
  initCommand,
  statusCommand,
  previewCommand,
  topologyCommand,
  upCommand,
  scaleCommand,
  healCommand,
  restoreCommand,
  rotateCommand,
  upgradeCommand,
  terminateCommand,
  checkCommand,
  mendCommand,
  releaseCommand,
  sshCommand,
  kubeconfigCommand,
  supportCommand,
  imagesCommand,
  adoptCommand,
  recoverCommand,
  rebuildStateCommand,
  packageCommand,
  schemaCommand,
  convertCommand,
];

/** The verbs of `vnfm`, in the order of the help. */
export const COMMANDS: readonly Command[] = [...VERBS, completionCommand(VERBS)];
