import type { PackageChart } from "./model";
import { nearest } from "./nearest";
import { requirements } from "./nodes";
import { resolvePath } from "./paths";
import { targetName } from "./policies";
import type { NodeTemplate, Types } from "./types";

/**
 * Reads the Helm chart of an Mciop with the VDUs that it creates (SOL001 6.8.14).
 * @returns an empty list for an Mciop without a chart
 */
export function readChart(mciop: NodeTemplate, types: Types, vdus: readonly string[]): PackageChart[] {
  const associated = requirements(mciop, "associatedVdu").flatMap((at) => targetName(at, "VDU", vdus) ?? []);
  const [chart, ...more] = mciop.at
    .get("artifacts")
    .namedItems()
    .filter(([, artifact]) => !artifact.isText && types.isHelmChart(artifact.get("type").text() ?? ""));
  for (const [, artifact] of more)
    artifact.fault(
      `is a HelmChart in addition to ${chart?.[0]}; an Mciop has one, so define another Mciop for it`,
    );
  if (chart === undefined) return [];
  const file = chart[1].get("file");
  const reference = file.requiredText();
  const { files, source } = file.scope;
  const isThere = (path: string) =>
    files.list().some((one) => one === path || one.startsWith(`${path.replace(/\/$/, "")}/`));
  const path = [resolvePath("", reference), resolvePath(source.file, reference)].find(
    (candidate) => candidate !== undefined && isThere(candidate),
  );
  // description and checksum of a file whose content is read
  chart[1].skip();
  if (path !== undefined) return [{ id: mciop.name, path, vdus: associated }];
  file.fault(`${file.shown()} is not in the package${nearest(reference, files.list())}`);
  return [];
}
