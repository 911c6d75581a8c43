/** The standard input of a program: JSON with the credentials of a cluster in it. */
import { readFileSync } from "node:fs";
import { parseJson } from "../base/parse-json";

/** Reads it as the type that the step of this program writes. */
export function readInput<T>(): T {
  return parseJson<T>(readFileSync(0, "utf8"), "the input of this script");
}
