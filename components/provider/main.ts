#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { main } from "@pulumi/pulumi/provider";
import { jsonData } from "../base/json";
import { localExceptions } from "../base/net/proxy";
import { ComponentProvider } from "./provider";
import type { Manifest } from "./schema";

const MANIFEST = require.resolve("vnfm/package.json");
const manifest = jsonData(readFileSync(MANIFEST, "utf8"), MANIFEST) as Manifest;

Object.assign(process.env, localExceptions());
main(new ComponentProvider(manifest), process.argv.slice(2)).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
