/** Edits Pulumi.dev.yaml, as `vnfm scale`, `vnfm heal` and Pulumi do: CI proves that no test depends on this file. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editText } from "../automation/stack/config-text";

const FILE = join(__dirname, "../Pulumi.dev.yaml");
const token = new Date().toISOString();
const edited = editText(readFileSync(FILE, "utf8"), [
  { vnf: "vnf-a", path: ["scale", "worker_instance"], value: 2 },
  { vnf: "vnf-a", path: ["heal", "workerNode-1"], value: token },
  { vnf: "vnf-b", path: ["heal", "all"], value: token },
]);
writeFileSync(FILE, `encryptionsalt: v1:salt:v1:text\n${edited}`);
