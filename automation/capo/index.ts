import { readManifests } from "../../components/kube/manifests/manifests";
import { faultLine, type Fault as PackageFault } from "../../components/vnfd/model";
import {
  assertConverted,
  readSource,
  type Conversion,
  type Converted,
  type SourceFile,
} from "../conversion/conversion";
import { asWritten, variablesOf } from "../conversion/variables";
import { convert } from "./convert";

/**
 * Converts clusters in templates of clusterctl for OpenStack, or in manifests from these, to settings.
 * @param environment values of variables, as for clusterctl
 * @throws Fault with all errors in the files
 */
export function convertCapo(paths: readonly string[], environment: NodeJS.ProcessEnv): Conversion {
  return convertManifests(paths.map(readSource), environment);
}

/** See convertCapo. */
export function convertManifests(files: readonly SourceFile[], environment: NodeJS.ProcessEnv): Conversion {
  const faults: PackageFault[] = [];
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const objects = readManifests(
    { read: (path) => Buffer.from(texts.get(path) ?? "") },
    [...texts.keys()],
    faults,
    variablesOf([...texts.values()], environment),
  );
  assertConverted(faults.map(faultLine));
  const { templates, vnfs } = convert(objects.map(({ object }) => object));
  return { templates: templates.map(readable), vnfs: vnfs.map(readable) };
}

function readable(converted: Converted): Converted {
  return { ...converted, remarks: converted.remarks.map(asWritten) };
}
