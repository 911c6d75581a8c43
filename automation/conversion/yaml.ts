import { Document, isMap, isScalar, type Pair } from "../../components/base/yaml/yaml";
import type { Conversion, Converted } from "./conversion";

const VIM = " instance name of the cluster that it runs on";

/** The stack config with the converted templates and instances; remarks are comments above each of them. */
export function settingsYaml({ templates, vnfs }: Conversion): string {
  const settings = { "vnfm:clusterTemplates": templates, "vnfm:vnfs": vnfs };
  const present = Object.entries(settings).filter(([, all]) => all.length > 0);
  const config = Object.fromEntries(present.map(([key, all]) => [key, settingsByName(all)]));
  const document = new Document({ config });
  for (const [key, all] of present) comment(document, key, all);
  return document.toString({ lineWidth: 0 });
}

function settingsByName(all: readonly Converted[]): object {
  return Object.fromEntries(all.map(({ name, settings }) => [name, settings]));
}

function comment(document: Document, setting: string, all: readonly Converted[]): void {
  const map = document.getIn(["config", setting]);
  if (!isMap(map)) return;
  for (const { key, value } of map.items as readonly Pair[]) {
    if (!isScalar(key)) continue;
    const remarks = all.find(({ name }) => name === key.value)?.remarks ?? [];
    if (remarks.length > 0) key.commentBefore = remarks.map((remark) => ` ${remark}`).join("\n");
    const vim = isMap(value) ? value.get("vim", true) : undefined;
    if (isScalar(vim)) vim.comment = VIM;
  }
}
