import { jsonMap, OddAnswer, quotable, shaped } from "../base/net/answer";
import { Fault } from "../base/fault";
import { own } from "../base/own";
import { typed, type CloudAnswer } from "./answers";
import { authentication } from "./authentication";
import type { CloudAccess } from "./clouds";
import { send, type Received } from "./transport";

/** Type of an OpenStack API in Keystone's catalog. */
export type Service = "compute" | "network" | "block-storage" | "load-balancer" | "image" | "identity";

/** Names of these types in older catalogs. */
const ALIASES: Readonly<Record<Service, readonly string[]>> = {
  compute: ["compute"],
  network: ["network"],
  "block-storage": ["block-storage", "volumev3"],
  "load-balancer": ["load-balancer"],
  image: ["image"],
  identity: ["identity"],
};

/** Keys of `openstack:endpointOverrides` for these types, if they differ. */
const OVERRIDES: Readonly<Partial<Record<Service, string>>> = { "block-storage": "volumev3" };

/** A flavor as Nova lists it. */
export interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  /** Memory in MiB. */
  readonly ram: number;
  /** Disk in GiB; 0 means the size of the image. */
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

interface Endpoint {
  readonly url: string;
  /** Source of the value, for messages. */
  readonly source: string;
}

/** An authenticated session with a cloud. It lasts as long as its token, an hour on most clouds. */
export class OpenStack {
  private constructor(
    readonly access: CloudAccess,
    readonly token: string,
    readonly catalog: readonly CatalogEntry[],
    private readonly project: string | undefined,
    private readonly user: string | undefined,
    /** Names of the token's roles: those of the user in the project, and the roles implied by them. */
    readonly roles: readonly string[],
  ) {}

  /**
   * Authenticates with Keystone v3, by password, token or application credential. Certificates are always verified:
   * with the `cacert` of the cloud, like in the provider, or else with the CAs that Node.js trusts.
   *
   * @throws Fault naming the wrong or missing setting
   */
  static async connect(access: CloudAccess): Promise<OpenStack> {
    const url = `${access.auth_url.replace(/\/+$/, "").replace(/(\/v3)?$/, "/v3")}/auth/tokens`;
    // the value may have a password in it, so it is not shown
    if (!/^https?:$/.test(protocolOf(url)))
      throw new Fault(`auth_url of ${access.source} is not a URL: write https://host:port/v3`);
    const body = JSON.stringify({ auth: authentication(access) });
    const request = { method: "POST", headers: { "content-type": "application/json" }, body };
    const { status, headers, text } = await send(url, request, access);
    const id = headers.get("x-subject-token");
    if (status === 401) throw new Fault(`Keystone rejects the user of ${access.source} (401)`);
    const token = tokenIn(text);
    if (status < 200 || status > 299 || id === null || token === undefined) {
      const what = status === 201 ? "with something other than a token" : status;
      throw new Fault(`Keystone at ${url} answers ${what}: is auth_url of ${access.source} right?`);
    }
    const roles = (token.roles ?? []).flatMap(({ name }) => name ?? []);
    return new OpenStack(access, id, token.catalog ?? [], token.project?.id, token.user?.id, roles);
  }

  /**
   * Returns a function that logs in at its first call, and returns the same session to all callers.
   *
   * @param access returns the login; called only at the first call
   */
  static whenNeeded(access: () => CloudAccess | Promise<CloudAccess>): () => Promise<OpenStack> {
    let session: Promise<OpenStack> | undefined;
    const begin = async (): Promise<OpenStack> => OpenStack.connect(await access());
    return () => (session ??= begin());
  }

  /** Id of the token's project. @throws Fault if the token is not for a project */
  get projectId(): string {
    if (this.project === undefined) throw new Fault(`${this.access.source} has no project`);
    return this.project;
  }

  /** Id of the user. @throws Fault if Keystone's answer has none */
  get userId(): string {
    if (this.user === undefined) throw new Fault(`Keystone names no user for ${this.access.source}`);
    return this.user;
  }

  /**
   * Sends a GET request.
   * @returns the body; undefined for a 404
   * @throws Fault for other answers than 2xx
   */
  async get<T>(service: Service, path: string): Promise<T | undefined> {
    const received = await this.#request("GET", service, path);
    return received === undefined ? undefined : (typed(mapIn(received)) as T);
  }

  /** Sends a POST. @returns false for a 404 @throws Fault for other answers than 2xx */
  async post(service: Service, path: string, body: object): Promise<boolean> {
    return (await this.#request("POST", service, path, JSON.stringify(body))) !== undefined;
  }

  /** Deletes a resource, if it still exists. */
  async delete(service: Service, path: string): Promise<void> {
    await this.#request("DELETE", service, path);
  }

  async #request(
    method: string,
    service: Service,
    path: string,
    body?: string,
  ): Promise<Received | undefined> {
    const url = this.#endpoint(service) + path;
    const headers = {
      "x-auth-token": this.token,
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const request = { method, headers, ...(body !== undefined && { body }) };
    const received = await send(url, request, this.access);
    const { status, text } = received;
    if (status === 404) return undefined;
    if (status < 200 || status > 299)
      throw new Fault(`${method} ${url} answers ${status}: ${quotable(text, [this.token])}`);
    return received;
  }

  #endpoint(service: Service): string {
    const { url, source } = this.#override(service) ?? this.#ofCatalog(service, ALIASES[service]);
    if (!URL.canParse(url)) throw new Fault(`${source} has ${JSON.stringify(url)}, which is not a URL`);
    const { protocol, host } = new URL(url);
    if (protocol !== "https:" && protocolOf(this.access.auth_url) === "https:")
      throw new Fault(
        `${source} has ${protocol}//${host} for ${service}, and auth_url of ${this.access.source} is https: the token ` +
          "would be sent unencrypted. Register an https endpoint in the catalog, or choose an existing one with " +
          "endpoint_type and region_name",
      );
    const base = url.replace(/\/+$/, "");
    if (service === "identity") return base.replace(/(\/v3)?$/, "/v3");
    // vnfm's paths for Neutron, Octavia and Glance begin with a version, which some catalogs contain too
    return base.replace(/\/v2(\.0)?$/, "");
  }

  #ofCatalog(service: Service, types: readonly string[]): Endpoint {
    const { region_name: region, endpoint_type: visibility = "public", source } = this.access;
    const found = this.catalog
      .filter(({ type = "" }) => types.includes(type))
      .flatMap(({ endpoints = [] }) => endpoints.filter(({ url }) => url !== undefined))
      .find(
        (one) =>
          `${one.interface}URL`.startsWith(visibility) &&
          (!region || (one.region ?? one.region_id) === region),
      );
    if (found?.url !== undefined) return { url: found.url, source: "the catalog of the cloud" };
    const where = region === undefined ? "" : ` in region ${region}`;
    throw new Fault(`${source}: the catalog has no ${visibility} endpoint of ${service}${where}`);
  }

  /** Returns the endpoint that replaces the catalog's: a URL, or the endpoint of another type in the catalog. */
  #override(service: Service): Endpoint | undefined {
    const value = own(this.access.endpointOverrides ?? {}, OVERRIDES[service] ?? service);
    if (value === undefined) return undefined;
    return value.includes("://")
      ? { url: value, source: "openstack:endpointOverrides" }
      : this.#ofCatalog(service, [value]);
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
  user: { id: "text" },
  roles: [{ name: "text" }],
} as const;

interface Token {
  readonly catalog?: readonly CatalogEntry[];
  readonly project?: { readonly id?: string };
  readonly user?: { readonly id?: string };
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

/** @throws Fault if it is not a JSON object */
function mapIn({ method, url, text }: Received): CloudAnswer {
  try {
    return jsonMap(text, `${method} ${url}`);
  } catch (error) {
    throw error instanceof OddAnswer
      ? new Fault(`${error.message}: is there a proxy in front of it?`)
      : error;
  }
}
