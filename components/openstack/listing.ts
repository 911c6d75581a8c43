import { Fault } from "../fault";
import type { OpenStack, Service } from "./session";

type Body = Readonly<Record<string, unknown>>;

/**
 * All items of a listing, page by page: a cloud gives 1,000 servers or 25 images at a time, and says with them where the
 * next ones are.
 *
 * @param key of the items in the answer
 * @returns none where the API has no such listing
 * @throws Fault if the pages have no end
 */
export async function listed<T>(
  cloud: Pick<OpenStack, "get">,
  service: Service,
  path: string,
  key: string,
): Promise<readonly T[]> {
  const all: T[] = [];
  const asked = new Set<string>();
  for (let page: string | undefined = path; page !== undefined;) {
    if (asked.has(page)) throw new Fault(`${service} gives the same page of ${path} again and again`);
    asked.add(page);
    const body: Body | undefined = await cloud.get<Body>(service, page);
    all.push(...((body?.[key] ?? []) as readonly T[]));
    page = nextPage(body ?? {}, key, path);
  }
  return all;
}

/**
 * The path of the next page: Glance has it as `next`, the others as a link of `<key>_links`. Of that the query alone is
 * taken, so that the token goes where the catalog says, whatever host and scheme the cloud knows itself by.
 */
function nextPage(body: Body, key: string, path: string): string | undefined {
  const links = (body[`${key}_links`] ?? []) as readonly { readonly rel?: string; readonly href?: string }[];
  const next = (body["next"] as string | undefined) ?? links.find(({ rel }) => rel === "next")?.href;
  if (next === undefined) return undefined;
  const [, query = ""] = /\?([^#]*)/.exec(next) ?? [];
  return `${path.split("?")[0]}?${query}`;
}
