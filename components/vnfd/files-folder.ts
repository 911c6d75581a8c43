import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { limits } from "../base/limits";
import { PackageFault, type Fault, type PackageFiles } from "./model";
import { nearest } from "./nearest";
import { isImage, unsafePath } from "./paths";

/**
 * Opens a package that is a folder. Names are listed at once; contents are read on demand. Links may point only to
 * files of the package: reading another one is an error.
 *
 * @param location name of the package in errors
 * @throws PackageFault
 */
export function openFolder(location: string, folder = location): PackageFiles {
  const faults: Fault[] = [];
  const files = new Map<string, string>();
  const links = new Map<string, string>();
  let entries = 0;
  let bytes = 0;
  const root = realpathSync(folder);
  walk(root, "", [root]);
  if (bytes > limits.packageBytes) {
    const message = `the files have ${bytes} bytes together, images not counted; at most ${limits.packageBytes} are allowed`;
    faults.push({ file: "", node: "", property: "", message });
  }
  if (faults.length > 0) throw new PackageFault(location, faults);

  const fault = (file: string, message: string) =>
    new PackageFault(location, [{ file, node: "", property: "", message }]);
  return {
    list: () => [...files.keys(), ...links.keys()],
    has: (path) => files.has(path) || linkTo(path) !== undefined,
    read(path) {
      const real = files.get(path);
      if (real === undefined) {
        const link = linkTo(path);
        if (link !== undefined) throw fault(...link);
        throw fault(path, `is not in the package${nearest(path, [...files.keys()])}`);
      }
      const size = statSync(real).size;
      if (size > limits.packageBytes) {
        throw fault(path, `has ${size} bytes; files over ${limits.packageBytes} are not read into memory`);
      }
      return readFileSync(real);
    },
  };

  /** Returns the link at or above a path, with the reason why it cannot be read. */
  function linkTo(path: string): [link: string, problem: string] | undefined {
    return [...links].find(([link]) => path === link || path.startsWith(`${link}/`));
  }

  function walk(folder: string, prefix: string, above: readonly string[]): void {
    const found = readdirSync(folder, { withFileTypes: true });
    for (const entry of found.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name === ".git") continue;
      // links may lead to one folder on so many paths that going on would never end
      if (entries > limits.entries) return;
      entries++;
      const path = prefix + entry.name;
      const add = (message: string) => void faults.push({ file: path, node: "", property: "", message });
      if (entries > limits.entries) {
        add(`the package has more than ${limits.entries} files and folders`);
        return;
      }
      const unsafe = unsafePath(path);
      if (unsafe !== undefined) {
        add(unsafe);
        continue;
      }
      let real = join(folder, entry.name);
      if (entry.isSymbolicLink()) {
        try {
          real = realpathSync(real);
        } catch {
          links.set(path, "is a link to a file that does not exist");
          continue;
        }
        if (!real.startsWith(root + sep)) {
          links.set(path, "is a link to a target outside the package");
          continue;
        }
      }
      const stat = statSync(real);
      if (stat.isDirectory()) {
        if (above.includes(real)) links.set(path, "is a link to a folder that it is in");
        else walk(real, `${path}/`, [...above, real]);
      } else if (!stat.isFile()) {
        add("is neither a file nor a folder");
      } else {
        files.set(path, real);
        if (!isImage(path)) bytes += stat.size;
      }
    }
  }
}
