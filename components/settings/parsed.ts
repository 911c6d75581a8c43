import type { Scalar, Secret } from "../base/secret";

/** Type-level key of an object: the names of its settings with a default. No value has the key. */
export declare const WITH_DEFAULT: unique symbol;

/** Type-level key of a string, a number or a boolean: its type after parsing. No value has the key. */
export declare const IN_PROGRAM: unique symbol;

/** A string that is always a secret. */
export type SecretText = string & { readonly [IN_PROGRAM]?: Secret };

/** A string, a number or a boolean that is a secret if the stack config encrypts it, or a program passes a Secret. */
export type PerhapsSecret<Written extends Scalar> = Written & { readonly [IN_PROGRAM]?: Written | Secret };

/** A string that may be known only during the run. */
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
