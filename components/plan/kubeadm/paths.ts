/** Returns true if a path is the directory or below it; both are absolute, without `.` and `..`. */
export function isUnder(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
