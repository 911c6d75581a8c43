import { limits, tooLarge } from "../base/limits";
import { toYaml } from "../base/yaml/yaml";
import { utf8 } from "../base/text";
import type { At } from "./at";
import { contentOf } from "./model";
import { nearest } from "./nearest";
import { resolvePath } from "./paths";
import type { NodeTemplate } from "./types";

/**
 * Reads the user data of a VDU: boot_data as a string (SOL001 2.6.1) or as BootData (4.2.1 6.2.68), or Tacker's
 * user_data. The content of BootData is in the VNFD, or in a file of the package. If it must be a file on the server,
 * the user data make cloud-init write that file. Unusable boot data are an error, because a server must not start
 * without them.
 */
export function readBootData(template: NodeTemplate): string | undefined {
  const data = template.property("boot_data");
  if (!data.exists) return template.property("user_data").text();
  if (data.isText) return textAt(data);
  const fileData = data.get("content_or_file_data");
  const [inline, file] = [fileData.get("content"), fileData.get("source_path")];
  if (!inline.isWritten && !file.isWritten) data.fault(withoutContent(data, fileData));
  const content = textAt(inline) ?? fileText(file);
  const destination = fileData.get("destination_path");
  if (content === undefined || !destination.exists) return content;
  const path = destination.requiredText();
  if (!path.startsWith("/"))
    destination.fault(`${destination.shown()} is not an absolute path of the server`);
  return `#cloud-config\n${toYaml({ write_files: [{ path, content }] })}`;
}

/**
 * Returns the error about a map without user data. Usually it is a cloud-config that lacks the `|` of a block string.
 */
function withoutContent(data: At, fileData: At): string {
  if (fileData.exists || data.get("kvp_data").exists || data.get("vim_specific_properties").exists)
    return "has no user data: set content or source_path under content_or_file_data";
  const keys = data.keys().slice(0, 3).join(", ");
  return `is ${data.isList ? "a list" : `a map of ${keys}`}, and user data are a string: write it as a block string (boot_data: |), or set content or source_path under content_or_file_data`;
}

/** Reads boot data: a text in the VNFD, or the file of an artifact that `get_artifact` names (SOL001 A.2.2). */
function textAt(at: At): string | undefined {
  return at.isCallOf("get_artifact") ? fileText(at) : at.text();
}

/** Reads a file by its path in the package, or relative to the file that names it. */
function fileText(source: At): string | undefined {
  if (!source.exists) return undefined;
  const { files, source: from } = source.scope;
  const reference = source.requiredText();
  const paths = [resolvePath("", reference), resolvePath(from.file, reference)];
  const path = paths.find((candidate) => candidate !== undefined && files.has(candidate));
  if (path === undefined) {
    source.fault(`${source.shown()} is not in the package${nearest(reference, files.list())}`);
    return undefined;
  }
  const content = contentOf(files, path, source.scope.faults);
  if (content === undefined) return undefined;
  const problem = tooLarge(content.length, limits.textBytes, "user data");
  if (problem !== undefined) {
    source.fault(`${path} ${problem}`);
    return undefined;
  }
  const text = utf8(content);
  if (text === undefined) source.fault(`${path} is not UTF-8 text`);
  return text;
}
