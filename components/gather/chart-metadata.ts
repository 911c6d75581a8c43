import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Parser } from "tar";
import { at, fields, items, text, type Fields } from "../kube/object";
import { limits } from "../limits";
import { yamlData } from "../yaml";

/**
 * What of a chart keeps Helm from installing it, though Helm renders it: only a run would find that out. Undefined:
 * nothing, or what the rendering tells.
 *
 * @param path of the chart's folder, or of its archive
 */
export function chartProblem(path: string): string | undefined {
  const chart = filesAt(path);
  const { type, dependencies } = metadataOf(chart);
  if (type === "library")
    return "is a library chart, which others use and nobody installs; name a chart that depends on it";
  const there = subchartsOf(chart);
  const missing = items(dependencies)
    .flatMap((one) => text(at(one, "name")) ?? [])
    .filter((name) => !there.has(name));
  return missing.length === 0
    ? undefined
    : `depends on ${missing.join(", ")}, and has not ${missing.length === 1 ? "it" : "them"} in its folder charts: "helm dependency build" puts them there`;
}

/** What of a chart's files says what it is, by their paths in the chart. */
type ChartFiles = ReadonlyMap<string, Buffer>;

const OF_METADATA = /^(Chart|requirements)\.yaml$|^charts\/[^/]+(\/Chart\.yaml|\.tgz)$/;

function filesAt(path: string): ChartFiles {
  if (!statSync(path).isDirectory()) return filesOfArchive(readFileSync(path));
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).filter(
    (name) => OF_METADATA.test(name) && statSync(join(path, name)).isFile(),
  );
  return new Map(names.map((name) => [name, readFileSync(join(path, name))]));
}

/** None of what is no archive: Helm says so. */
function filesOfArchive(archive: Buffer): ChartFiles {
  const found = new Map<string, Buffer>();
  const parser = new Parser({
    onReadEntry: (entry) => {
      // the first name is that of the chart
      const name = entry.path.replace(/^(\.\/)?[^/]+\//, "");
      const parts: Buffer[] = [];
      if (OF_METADATA.test(name)) entry.on("data", (part: Buffer) => void parts.push(part));
      entry.on("end", () => OF_METADATA.test(name) && found.set(name, Buffer.concat(parts)));
      entry.resume();
    },
  });
  try {
    parser.end(gunzipSync(archive, { maxOutputLength: limits.packageBytes }));
  } catch {
    return new Map();
  }
  return found;
}

/** What Chart.yaml says, and requirements.yaml, which charts of Helm 2 have beside it. */
function metadataOf(chart: ChartFiles): Fields {
  return { ...yamlOf(chart.get("Chart.yaml")), ...yamlOf(chart.get("requirements.yaml")) };
}

/** Empty where it cannot be read: Helm says why. */
function yamlOf(file: Buffer | undefined): Fields {
  try {
    return fields(yamlData(file?.toString("utf8") ?? "", "it"));
  } catch {
    return {};
  }
}

/** The names of the charts in the folder `charts`, as Helm finds them there. */
function subchartsOf(chart: ChartFiles): ReadonlySet<string> {
  const names = [...chart].flatMap(([path, content]) => {
    const [, place = ""] = /^charts\/([^/]+)/.exec(path) ?? [];
    if (place === "" || /^[_.]/.test(place)) return [];
    const metadata = place.endsWith(".tgz") ? filesOfArchive(content).get("Chart.yaml") : content;
    return text(yamlOf(metadata)["name"]) ?? [];
  });
  return new Set(names);
}
