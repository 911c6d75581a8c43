import { Variables } from "../../components/kube/manifests/variables";

/** Matches a variable without a default. */
const NEEDED = /(?<!\$)\$\{\s*(\w+)\s*\}/g;

/**
 * Resolves variables in texts from the environment, like clusterctl. A variable without value and default stays, and
 * hasVariable detects it.
 */
export function variablesOf(texts: readonly string[], environment: NodeJS.ProcessEnv): Variables {
  const needed = texts.flatMap((text) => [...text.matchAll(NEEDED)].map(([, name = ""]) => name));
  const named = texts.flatMap((text) => [...text.matchAll(/\$\{\s*#?(\w+)/g)].map(([, name = ""]) => name));
  const values = [...new Set(named)].flatMap((name) => {
    const value = environment[name] ?? (needed.includes(name) ? unresolved(name) : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return new Variables(Object.fromEntries(values));
}

const UNRESOLVED = /\$\{\w+:\?\}/;

/**
 * The placeholder of a variable without a value. It differs from the `${X}` of a shell, which templates write as
 * `$${X}`.
 */
const unresolved = (name: string): string => `\${${name}:?}`;

/** Returns true if a value contains a variable, at any depth. */
export function hasVariable(value: unknown): boolean {
  if (typeof value === "string") return UNRESOLVED.test(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasVariable);
}

/** A text with its placeholders replaced by the original variables. */
export function asWritten(text: string): string {
  return text.replaceAll(/\$\{(\w+):\?\}/g, "${$1}");
}
