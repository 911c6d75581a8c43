import type { Scalar, Secret } from "../base/secret";

/** The type of this key of an object: the names of its settings that have a default. No object has the key. */
export declare const WITH_DEFAULT: unique symbol;

/** The type of this key of a text, a number or a boolean: what the program has in its place. None has the key. */
export declare const IN_PROGRAM: unique symbol;

/** A text that is a secret. */
export type SecretText = string & { readonly [IN_PROGRAM]?: Secret };

/**
 * A text, a number or a boolean that is a secret where the stack config has it encrypted, or a program has it as one.
 */
export type PerhapsSecret<Written extends Scalar> = Written & { readonly [IN_PROGRAM]?: Written | Secret };

/** A text that a program may know only in the run. */
export type LateText = string & { readonly [IN_PROGRAM]?: string };

/** Valid settings after parsing: defaults are filled in, and secrets wrapped. */
export type Parsed<Written> = Written extends Scalar
  ? typeof IN_PROGRAM extends keyof Written
    ? Exclude<Written[typeof IN_PROGRAM], undefined>
    : Written
  : Written extends readonly (infer Item)[]
    ? readonly Parsed<Item>[]
    : Written extends object
      ? ParsedObject<Written>
      : Written;

type ParsedObject<Written extends object> = {
  readonly [
    Key in keyof Written as Key extends typeof WITH_DEFAULT | DefaultKeys<Written> ? never : Key
  ]: Parsed<Written[Key]>;
} & {
  readonly [Key in DefaultKeys<Written>]: Parsed<Exclude<Written[Key], undefined>>;
};

type DefaultKeys<Written> = typeof WITH_DEFAULT extends keyof Written
  ? Extract<Written[typeof WITH_DEFAULT], keyof Written>
  : never;
