#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { main } from "@pulumi/pulumi/provider";
import { ComponentProvider } from "./provider";

const manifest = readFileSync(require.resolve("vnfm/package.json"), "utf8");
const { version } = JSON.parse(manifest) as { readonly version: string };

main(new ComponentProvider(version), process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
