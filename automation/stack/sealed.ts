import { readFileSync } from "node:fs";
import { at, fields, items } from "../../components/kube/objects/object";
import { mapValues } from "../../components/plan/workload/chart-values";
import { Secret } from "../../components/base/secret";
import { toYaml, yamlData } from "../../components/base/yaml/yaml";
import { Fault } from "../fault";
import type { ConfigFile } from "./config-file";
import type { PulumiStack } from "./pulumi";
import type { Edit } from "./stack-config";

/** The keys of a stack config with the provider of its encryption. */
const ENCRYPTION = ["encryptionsalt", "encryptedkey", "secretsprovider"] as const;

/** Key of the encrypted texts in a temporary file. */
const KEY = "vnfm:encrypted";

/**
 * Encrypts each Secret in the edits as the stack config stores it, under `secure`. The CLI encrypts in a temporary
 * file, because it would rewrite the stack config without comments and formatting.
 * @throws Fault if the stack config has no provider of encryption
 */
export async function sealed(
  stack: Pick<PulumiStack, "setSecret">,
  file: Pick<ConfigFile, "text" | "tryOut">,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const secrets: Secret[] = [];
  mapValues(
    edits.map(({ value }) => value),
    (leaf) => leaf instanceof Secret && secrets.push(leaf),
  );
  if (secrets.length === 0) return edits;
  const encrypted = await encrypt(
    stack,
    file,
    secrets.map((secret) => secret.reveal()),
  );
  const bySecret = new Map(secrets.map((secret, i) => [secret, encrypted[i]]));
  const seal = (leaf: unknown): unknown => (leaf instanceof Secret ? bySecret.get(leaf) : leaf);
  return edits.map(({ value, ...edit }) => ({ ...edit, value: mapValues(value, seal) }));
}

async function encrypt(
  stack: Pick<PulumiStack, "setSecret">,
  file: Pick<ConfigFile, "text" | "tryOut">,
  texts: readonly string[],
): Promise<readonly unknown[]> {
  const before = encryptionOf(file.text);
  return file.tryOut(toYaml(before), async (path) => {
    // the CLI reads the file and writes it whole
    for (const [i, text] of texts.entries()) await stack.setSecret(path, `${KEY}[${i}]`, text);
    const written = readFileSync(path, "utf8");
    if (toYaml(encryptionOf(written)) !== toYaml(before))
      throw new Fault(
        `the stack config does not contain the encryption settings of its secrets (${ENCRYPTION.join(", ")}): ` +
          "create them with 'pulumi config set --secret'",
      );
    return items(at(yamlData(written, "the output of pulumi config set"), "config", KEY));
  });
}

function encryptionOf(text: string): object {
  const config = fields(yamlData(text, "the stack config"));
  return Object.fromEntries(
    ENCRYPTION.flatMap((key) => (config[key] === undefined ? [] : [[key, config[key]]])),
  );
}
