import { jsonMap, OddAnswer, quotable, shaped } from "../answer.cjs";
import { bytesOf } from "../bytes.cjs";
import { Fault } from "../fault";
import { typed, type Answer } from "./answers";
import { authentication } from "./authentication";
import type { CloudAccess } from "./clouds";
import { listed } from "./listing";

/** An OpenStack API by the type that it has in Keystone's catalog. */
export type Service = "compute" | "network" | "block-storage" | "load-balancer" | "image";

/** Types that older catalogs have. */
const ALIASES: Readonly<Record<Service, readonly string[]>> = {
  compute: ["compute"],
  network: ["network"],
  "block-storage": ["block-storage", "volumev3"],
  "load-balancer": ["load-balancer"],
  image: ["image"],
};

/** A flavor as Nova lists it. */
export interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  /** In MiB. */
  readonly ram: number;
  /** In GiB; 0 is as much as the image has. */
  readonly disk: number;
}

interface CatalogEntry {
  readonly type?: string;
  readonly endpoints?: readonly {
    readonly interface?: string;
    readonly region?: string;
    readonly region_id?: string;
    readonly url?: string;
  }[];
}

/** An authenticated session with a cloud, for as long as its token is valid: an hour on most clouds. */
export class OpenStack {
  #flavors?: Promise<readonly Flavor[]>;

  private constructor(
    readonly access: CloudAccess,
    readonly token: string,
    readonly catalog: readonly CatalogEntry[],
    private readonly project: string | undefined,
    /** Names of the roles of the token: those that the user has in the project, and those that these imply. */
    readonly roles: readonly string[],
  ) {}

  /**
   * Authenticates with Keystone v3, by password, token or application credential. Certificates are always checked: a
   * CA that Node does not know is given by NODE_EXTRA_CA_CERTS.
   *
   * @throws Fault naming the setting that is wrong or missing
   */
  static async connect(access: CloudAccess): Promise<OpenStack> {
    const url = `${access.auth_url.replace(/\/+$/, "").replace(/(\/v3)?$/, "/v3")}/auth/tokens`;
    // the value may have a password in it, so it is not shown
    if (!/^https?:$/.test(protocolOf(url)))
      throw new Fault(`auth_url of ${access.source} is no URL: write https://host:port/v3`);
    const body = JSON.stringify({ auth: authentication(access) });
    const request = { method: "POST", headers: { "content-type": "application/json" }, body };
    const { status, headers, text } = await send(url, request, access);
    const id = headers.get("x-subject-token");
    if (status === 401) throw new Fault(`Keystone refuses the user of ${access.source} (401)`);
    const token = tokenIn(text);
    if (status < 200 || status > 299 || id === null || token === undefined) {
      const what = status === 201 ? "with something else than a token" : status;
      throw new Fault(`Keystone at ${url} answers ${what}: is auth_url of ${access.source} right?`);
    }
    const roles = (token.roles ?? []).flatMap(({ name }) => name ?? []);
    return new OpenStack(access, id, token.catalog ?? [], token.project?.id, roles);
  }

  /**
   * One session for all who may need it: the first of them has it begin.
   *
   * @param access is asked for only then
   */
  static whenNeeded(access: () => CloudAccess | Promise<CloudAccess>): () => Promise<OpenStack> {
    let session: Promise<OpenStack> | undefined;
    const begin = async (): Promise<OpenStack> => OpenStack.connect(await access());
    return () => (session ??= begin());
  }

  /** Id of the project that it is for. @throws Fault if it is for a domain, or for nothing */
  get projectId(): string {
    if (this.project === undefined) throw new Fault(`${this.access.source} names no project`);
    return this.project;
  }

  /** The body of a GET. @throws Fault unless the answer is 2xx; undefined where it is 404 */
  async get<T>(service: Service, path: string): Promise<T | undefined> {
    const received = await this.#request("GET", service, path);
    return received === undefined ? undefined : (typed(mapIn(received)) as T);
  }

  /** All flavors that the project may use; the cloud is asked for them once. */
  flavors(): Promise<readonly Flavor[]> {
    return (this.#flavors ??= listed<Flavor>(this, "compute", "/flavors/detail", "flavors"));
  }

  /** Deletes what is there, and nothing where it is gone already. */
  async delete(service: Service, path: string): Promise<void> {
    await this.#request("DELETE", service, path);
  }

  async #request(method: string, service: Service, path: string): Promise<Received | undefined> {
    const url = this.#endpoint(service) + path;
    const received = await send(url, { method, headers: { "x-auth-token": this.token } }, this.access);
    const { status, text } = received;
    if (status === 404) return undefined;
    if (status < 200 || status > 299)
      throw new Fault(`${method} ${url} answers ${status}: ${quotable(text, [this.token])}`);
    return received;
  }

  #endpoint(service: Service): string {
    const { region_name: region, endpoint_type: visibility = "public", source } = this.access;
    const found = this.catalog
      .filter(({ type = "" }) => ALIASES[service].includes(type))
      .flatMap(({ endpoints = [] }) => endpoints.filter(({ url }) => url !== undefined))
      .find(
        (one) =>
          `${one.interface}URL`.startsWith(visibility) &&
          (!region || (one.region ?? one.region_id) === region),
      );
    if (found?.url === undefined) {
      const where = region === undefined ? "" : ` in region ${region}`;
      throw new Fault(`${source}: the catalog has no ${visibility} endpoint of ${service}${where}`);
    }
    if (!URL.canParse(found.url))
      throw new Fault(`the catalog of the cloud has ${JSON.stringify(found.url)}, which is no URL`);
    const { protocol, host } = new URL(found.url);
    if (protocol !== "https:" && protocolOf(this.access.auth_url) === "https:")
      throw new Fault(
        `the catalog of the cloud has ${protocol}//${host} for ${service}, and auth_url of ${source} is https: the token ` +
          "would go there in plain. Have the catalog name an endpoint of https, or choose one that it has by " +
          "endpoint_type and region_name",
      );
    // our paths for Neutron, Octavia and Glance begin with a version; some catalogs have it too
    return found.url.replace(/\/+$/, "").replace(/\/v2(\.0)?$/, "");
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

const TOKEN = {
  catalog: [
    { type: "text", endpoints: [{ interface: "text", region: "text", region_id: "text", url: "text" }] },
  ],
  project: { id: "text" },
  roles: [{ name: "text" }],
} as const;

interface Token {
  readonly catalog?: readonly CatalogEntry[];
  readonly project?: { readonly id?: string };
  readonly roles?: readonly { readonly name?: string }[];
}

/** The token's data in an answer of Keystone. */
function tokenIn(text: string): Token | undefined {
  try {
    return shaped(jsonMap(text, "Keystone")["token"], TOKEN) as Token | undefined;
  } catch {
    return undefined;
  }
}

/** @throws Fault where it is no JSON object */
function mapIn({ method, url, text }: Received): Answer {
  try {
    return jsonMap(text, `${method} ${url}`);
  } catch (error) {
    throw error instanceof OddAnswer ? new Fault(`${error.message}: is there a proxy before it?`) : error;
  }
}

/** What a server has answered. */
interface Received {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How long a request and the whole of its answer may take, in milliseconds, and how large that may be, in MiB. */
const PATIENCE_MS = 60_000;
const MOST_MIB = 16;

/** How many redirects are followed one after the other. */
const MOST_REDIRECTS = 5;

/**
 * A request, repeated as it is where the server redirects it to itself. Elsewhere, another port of the host too, password
 * or token would be another's to read.
 *
 * @throws Fault for a redirect to another origin, or if the server is not reached
 */
async function send(url: string, init: RequestInit, access: CloudAccess): Promise<Received> {
  let from = url;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const answer = await sendOnce(from, init, access);
    const location = answer.headers.get("location");
    if (!REDIRECTS.includes(answer.status) || location === null) return answer;
    from = redirected(from, location);
  }
  throw new Fault(`${new URL(url).origin} redirects more than ${MOST_REDIRECTS} times`);
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

function redirected(from: string, location: string): string {
  const before = new URL(from);
  if (!URL.canParse(location, from)) throw new Fault(`${before.origin} redirects to what is no URL`);
  const after = new URL(location, from);
  if (after.origin === before.origin) return after.href;
  throw new Fault(
    `${before.origin} redirects to ${after.protocol}//${after.host}, which is not followed: ` +
      "password or token would go there; have auth_url, and the endpoints of the catalog, be the URLs that answer",
  );
}

/** @throws Fault that says why there is no whole answer */
async function sendOnce(url: string, init: RequestInit, { verify }: CloudAccess): Promise<Received> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { status, headers } = response;
    const body = await bytesOf(
      response.body,
      MOST_MIB << 20,
      () => new Fault(`${url} answers with more than ${MOST_MIB} MiB`),
    );
    return { method: init.method ?? "GET", url, status, headers, text: body.toString() };
  } catch (error) {
    if (error instanceof Fault) throw error;
    const { cause, message, name } = error as Error & { cause?: Error & { code?: string } };
    if (name === "TimeoutError")
      throw new Fault(`${new URL(url).origin} has not answered as a whole after ${PATIENCE_MS / 1000} s`);
    const why = cause?.code ?? cause?.message ?? message;
    const unchecked = /^(n|no|false|off)$/i.test(verify ?? "")
      ? "verify: false is for the provider alone; "
      : "";
    const hint = `; ${unchecked}NODE_EXTRA_CA_CERTS names the file of the cloud's CA`;
    throw new Fault(
      `${new URL(url).origin} is not reached: ${why}${/CERT|SIGN|ISSUER/.test(why) ? hint : ""}`,
    );
  }
}
