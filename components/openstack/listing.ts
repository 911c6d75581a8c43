import { Fault } from "../base/fault";
import { thingsOf, type CloudAnswer } from "./answers";
import type { OpenStack, Service } from "./session";

/** Limits for all pages of a listing together, in milliseconds and in characters. */
const PATIENCE_MS = 300_000;
const MOST_CHARACTERS = 64 << 20;

/**
 * Reads all items of a listing, page by page: a cloud returns, for example, 1,000 servers or 25 images at a time, with
 * a link to the next page.
 *
 * @param key key of the items in the answer
 * @returns none if the API has no such listing
 * @throws Fault if the pages have no end
 */
export async function listed<T>(
  cloud: Pick<OpenStack, "get">,
  service: Service,
  path: string,
  key: string,
): Promise<readonly T[]> {
  let all: readonly T[] = [];
  const visited = new Set<string>();
  const end = Date.now() + PATIENCE_MS;
  let characters = 0;
  for (let page: string | undefined = path; page !== undefined;) {
    if (visited.has(page)) throw new Fault(`${service} returns the same page of ${path} again and again`);
    if (Date.now() >= end)
      throw new Fault(
        `${service} did not return all pages of ${path} within ${PATIENCE_MS / 1000} s, only ${visited.size}`,
      );
    visited.add(page);
    const body: CloudAnswer = (await cloud.get<CloudAnswer>(service, page)) ?? {};
    all = [...all, ...thingsOf<T>(body, key)];
    page = nextPage(body, key, path);
    // most listings have one page, whose size is limited elsewhere
    if (page !== undefined) characters += JSON.stringify(body).length;
    if (characters > MOST_CHARACTERS)
      throw new Fault(
        `${service} returns more than ${MOST_CHARACTERS >> 20} MiB in ${visited.size} pages of ${path}`,
      );
  }
  return all;
}

/**
 * Returns the path of the next page: in Glance `next`, in other services a link in `<key>_links`. Only its query is
 * used, so that the token is sent only to the host in the catalog, even if the link has another host or scheme.
 */
function nextPage(body: CloudAnswer, key: string, path: string): string | undefined {
  const links = thingsOf<{ readonly rel?: string; readonly href?: string }>(body, `${key}_links`);
  const next = (body["next"] as string | undefined) ?? links.find(({ rel }) => rel === "next")?.href;
  if (next === undefined) return undefined;
  const [, query = ""] = /\?([^#]*)/.exec(next) ?? [];
  return `${path.split("?")[0]}?${query}`;
}
