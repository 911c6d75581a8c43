/** A text whose URLs have no user and password any more, as in `postgres://...@db/pulumi`. */
export function withoutUrlPasswords(text: string): string {
  return text.replaceAll(/:\/\/[^/\s]*@/g, "://...@");
}
