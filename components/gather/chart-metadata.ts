import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { at, fields, items, text, type Fields } from "../kube/objects/object";
import { yamlData } from "../base/yaml/yaml";
import { ChartArchives, describesChart, type ChartFile } from "./chart-archive";

/**
 * Returns the reason why Helm would refuse to install a chart although it can render it, or that an archive is too
 * large when inflated. Without this check the error would appear only during the run. Undefined: no error, or one that
 * the rendering reports.
 *
 * @param path path of the chart's folder or archive
 */
export function chartProblem(path: string): string | undefined {
  let chart: ReadonlyMap<string, Buffer>;
  try {
    chart = new Map(filesAt(path));
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
  const { type, dependencies } = metadataOf(chart);
  if (type === "library")
    return "is a library chart, which cannot be installed; use a chart that depends on it";
  const there = subchartsOf(chart);
  const missing = items(dependencies)
    .flatMap((one) => text(at(one, "name")) ?? [])
    .filter((name) => !there.has(name));
  return missing.length === 0
    ? undefined
    : `depends on ${missing.join(", ")}, and does not contain ${missing.length === 1 ? "it" : "them"} in its folder charts: "helm dependency build" adds them`;
}

function filesAt(path: string): readonly ChartFile[] {
  const archives = new ChartArchives();
  if (!statSync(path).isDirectory()) return archives.open(readFileSync(path));
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter(
    (name) => describesChart(name) && statSync(join(path, name)).isFile(),
  );
  return archives.withSubcharts(names.map((name) => [name, readFileSync(join(path, name))]));
}

/** Reads Chart.yaml, and requirements.yaml, which charts of Helm 2 have in addition. */
function metadataOf(chart: ReadonlyMap<string, Buffer>): Fields {
  return { ...yamlOf(chart.get("Chart.yaml")), ...yamlOf(chart.get("requirements.yaml")) };
}

/** Parses a file; empty if it is invalid, which Helm reports. */
function yamlOf(file: Buffer | undefined): Fields {
  try {
    return fields(yamlData(file?.toString("utf8") ?? "", "it"));
  } catch {
    return {};
  }
}

/** Lists the names of subcharts in the folder `charts`, in the same way as Helm. */
function subchartsOf(chart: ReadonlyMap<string, Buffer>): ReadonlySet<string> {
  const names = [...chart].flatMap(([path, content]) =>
    /^charts\/[^/_.][^/]*\/Chart\.yaml$/.test(path) ? (text(yamlOf(content)["name"]) ?? []) : [],
  );
  return new Set(names);
}
