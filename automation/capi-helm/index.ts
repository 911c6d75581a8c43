import { basename } from "node:path";
import { yamlData } from "../../components/base/yaml/yaml";
import { isFields } from "../../components/kube/objects/object";
import { Fault } from "../fault";
import { LONGEST, readSource, settingName, type Conversion, type SourceFile } from "../conversion/conversion";
import { convert } from "./convert";

/**
 * Converts files of values for the chart openstack-cluster of capi-helm-charts to settings of a cluster.
 * @param paths of files, of which later ones override, as with helm's `--values`
 * @throws Fault for a file without values
 */
export function convertCapiHelm(paths: readonly string[]): Conversion {
  return convertValues(paths.map(readSource));
}

/** See convertCapiHelm. */
export function convertValues(files: readonly SourceFile[]): Conversion {
  const values = files.map(({ path, text }) => {
    const data = yamlData(text, path) ?? {};
    if (!isFields(data)) throw new Fault(`${path} does not contain values of a Helm chart, which are a map`);
    if ("kind" in data)
      throw new Fault(`${path} contains a Kubernetes object instead of values of a Helm chart`);
    return data;
  });
  const last = files.at(-1)?.path ?? "";
  const name = settingName(basename(last).replace(/\.[a-z]+$/, ""), LONGEST.instance);
  return convert(name, values);
}
