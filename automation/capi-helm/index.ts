import { basename } from "node:path";
import { yamlData } from "../../components/base/yaml/yaml";
import { isFields } from "../../components/kube/objects/object";
import { Fault } from "../fault";
import { LONGEST, readSource, settingName, type Conversion, type SourceFile } from "../conversion/conversion";
import { convert } from "./convert";

/**
 * The cluster that the chart openstack-cluster of capi-helm-charts makes of files of values, as settings.
 *
 * @param paths of files of which a later one counts more, as with helm's `--values`
 * @throws Fault for a file that has no values
 */
export function convertCapiHelm(paths: readonly string[]): Conversion {
  return convertValues(paths.map(readSource));
}

/** See convertCapiHelm. */
export function convertValues(files: readonly SourceFile[]): Conversion {
  const values = files.map(({ path, text }) => {
    const data = yamlData(text, path) ?? {};
    if (!isFields(data)) throw new Fault(`${path} has no values of a Helm chart, which are a map`);
    if ("kind" in data) throw new Fault(`${path} has an object of Kubernetes and no values of a Helm chart`);
    return data;
  });
  const last = files.at(-1)?.path ?? "";
  const name = settingName(basename(last).replace(/\.[a-z]+$/, ""), LONGEST.instance);
  return convert(name, values);
}
