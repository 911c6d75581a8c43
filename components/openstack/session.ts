import type { CloudAccess } from "./clouds";
import { Fault } from "../fault";

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
  readonly type: string;
  readonly endpoints: readonly {
    readonly interface: string;
    readonly region: string;
    readonly url: string;
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
  ) {}

  /**
   * Authenticates with Keystone v3, by password or application credential. A CA that Node does not know is
   * given by NODE_EXTRA_CA_CERTS.
   *
   * @throws Fault naming the setting that is wrong or missing
   */
  static async connect(access: CloudAccess): Promise<OpenStack> {
    const url = `${access.auth_url.replace(/\/+$/, "").replace(/(\/v3)?$/, "/v3")}/auth/tokens`;
    // the value may have a password in it, so it is not shown
    if (!/^https?:$/.test(protocolOf(url)))
      throw new Fault(`auth_url of ${access.source} is no URL: write https://host:port/v3`);
    const { status, headers, text } = await send(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ auth: authentication(access) }),
    });
    const id = headers.get("x-subject-token");
    if (status === 401) throw new Fault(`Keystone refuses the user of ${access.source} (401)`);
    const { token } = (jsonOf(text) ?? {}) as {
      readonly token?: { catalog?: unknown; project?: { id: string } };
    };
    if (status < 200 || status > 299 || id === null || typeof token !== "object" || token === null) {
      const what = status === 201 ? "with something else than a token" : status;
      throw new Fault(`Keystone at ${url} answers ${what}: is auth_url of ${access.source} right?`);
    }
    return new OpenStack(access, id, catalogOf(token.catalog), token.project?.id);
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
    const answer = await this.#request("GET", service, path);
    if (answer === undefined) return undefined;
    const body = jsonOf(answer.text);
    if (body === undefined)
      throw new Fault(`GET ${answer.url} answers with something else than JSON: is there a proxy before it?`);
    return body as T;
  }

  /** All flavors that the project may use; the cloud is asked for them once. */
  flavors(): Promise<readonly Flavor[]> {
    return (this.#flavors ??= this.get<{ flavors: readonly Flavor[] }>("compute", "/flavors/detail").then(
      (body) => body?.flavors ?? [],
    ));
  }

  /** Deletes what is there, and nothing where it is gone already. */
  async delete(service: Service, path: string): Promise<void> {
    await this.#request("DELETE", service, path);
  }

  async #request(method: string, service: Service, path: string): Promise<Answer | undefined> {
    const url = this.#endpoint(service) + path;
    const answer = await send(url, { method, headers: { "x-auth-token": this.token } });
    const { status, text } = answer;
    if (status === 404) return undefined;
    if (status < 200 || status > 299)
      throw new Fault(`${method} ${url} answers ${status}: ${text.slice(0, 500)}`);
    return answer;
  }

  #endpoint(service: Service): string {
    const { region_name: region, endpoint_type: visibility = "public", source } = this.access;
    const found = this.catalog
      .filter(({ type }) => ALIASES[service].includes(type))
      .flatMap(({ endpoints }) => endpoints)
      .find((one) => `${one.interface}URL`.startsWith(visibility) && (!region || one.region === region));
    if (found === undefined) {
      const where = region === undefined ? "" : ` in region ${region}`;
      throw new Fault(`${source}: the catalog has no ${visibility} endpoint of ${service}${where}`);
    }
    // our paths for Neutron, Octavia and Glance begin with a version; some catalogs have it too
    return found.url.replace(/\/+$/, "").replace(/\/v2(\.0)?$/, "");
  }
}

/** Body of an authentication request. @throws Fault naming the setting that is missing */
function authentication(access: CloudAccess): object {
  const need = (...choices: (keyof CloudAccess)[]): string => {
    const value = choices.map((choice) => access[choice]).find((found) => found !== undefined);
    if (value === undefined) throw new Fault(`${access.source}: ${choices.join(" or ")} is missing`);
    return value;
  };
  const domain = (id: string | undefined, name: string | undefined): object =>
    id === undefined ? { name: name ?? "Default" } : { id };
  const userDomain = domain(
    access.user_domain_id ?? access.domain_id,
    access.user_domain_name ?? access.domain_name,
  );
  const user = (): object =>
    access.user_id === undefined ? { name: need("username"), domain: userDomain } : { id: access.user_id };
  const { application_credential_id: id, application_credential_name: name } = access;
  if (id !== undefined || name !== undefined) {
    const secret = need("application_credential_secret");
    const credential = id === undefined ? { name, user: user(), secret } : { id, secret };
    return { identity: { methods: ["application_credential"], application_credential: credential } };
  }
  const password = { user: { ...user(), password: need("password") } };
  const projectDomain = domain(
    access.project_domain_id ?? access.domain_id,
    access.project_domain_name ?? access.domain_name,
  );
  const project =
    access.project_id === undefined
      ? { name: need("project_name", "project_id"), domain: projectDomain }
      : { id: access.project_id };
  return { identity: { methods: ["password"], password }, scope: { project } };
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

/** Undefined: it is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What of a catalog has the form of one. */
function catalogOf(catalog: unknown): readonly CatalogEntry[] {
  if (!Array.isArray(catalog)) return [];
  return (catalog as readonly (Partial<CatalogEntry> | null)[]).flatMap((entry) => {
    const endpoints: unknown = entry?.endpoints;
    if (entry?.type === undefined || !Array.isArray(endpoints)) return [];
    const whole = (endpoints as CatalogEntry["endpoints"]).filter((one) => typeof one?.url === "string");
    return [{ type: entry.type, endpoints: whole }];
  });
}

/** What a server has answered. */
interface Answer {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How long a request and the whole of its answer may take, in milliseconds. */
const PATIENCE_MS = 60_000;

/** @throws Fault that says why there is no whole answer */
async function send(url: string, init: RequestInit): Promise<Answer> {
  if (!URL.canParse(url))
    throw new Fault(`the catalog of the cloud has ${JSON.stringify(url)}, which is no URL`);
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
    const { status, headers } = response;
    return { url, status, headers, text: await response.text() };
  } catch (error) {
    const { cause, message, name } = error as Error & { cause?: Error & { code?: string } };
    if (name === "TimeoutError")
      throw new Fault(`${new URL(url).origin} has not answered as a whole after ${PATIENCE_MS / 1000} s`);
    const why = cause?.code ?? cause?.message ?? message;
    const hint = /CERT|SIGN|ISSUER/.test(why) ? "; NODE_EXTRA_CA_CERTS names the file of the cloud's CA" : "";
    throw new Fault(`${new URL(url).origin} is not reached: ${why}${hint}`);
  }
}
