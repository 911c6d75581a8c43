import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { LAB } from "./lab";

interface Cloud {
  readonly auth: {
    readonly auth_url: string;
    readonly username: string;
    readonly password: string;
    readonly project_name: string;
    readonly user_domain_name: string;
    readonly project_domain_name: string;
  };
}

interface Catalog {
  readonly token: {
    readonly project: { readonly id: string };
    readonly user: { readonly id: string };
    readonly catalog: readonly {
      readonly type: string;
      readonly endpoints: readonly { readonly interface: string; readonly url: string }[];
    }[];
  };
}

/** A client of the lab's OpenStack APIs, for a user of one project. */
export class OpenStack {
  private constructor(
    readonly auth: Cloud["auth"],
    readonly token: string,
    readonly catalog: Catalog["token"]["catalog"],
    readonly projectId: string,
    readonly userId: string,
  ) {}

  /** @param as name of a cloud in the clouds.yaml, by default of the lab's own one */
  static async connect(as: "lab" | "lab-admin" = "lab", file = join(LAB, "clouds.yaml")): Promise<OpenStack> {
    const { auth } = (parse(readFileSync(file, "utf8")) as { clouds: Record<typeof as, Cloud> }).clouds[as];
    const domain = { name: "Default" };
    const response = await fetch(`${auth.auth_url}/auth/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        auth: {
          identity: {
            methods: ["password"],
            password: { user: { name: auth.username, password: auth.password, domain } },
          },
          scope: { project: { name: auth.project_name, domain } },
        },
      }),
    });
    if (!response.ok) throw new Error(`keystone answers ${response.status}: ${await response.text()}`);
    const { token } = (await response.json()) as Catalog;
    const subject = response.headers.get("x-subject-token") ?? "";
    return new OpenStack(auth, subject, token.catalog, token.project.id, token.user.id);
  }

  /** Sends a GET to a service. @returns the body of the response */
  async get<T>(service: string, path: string): Promise<T> {
    const response = await this.#request("GET", service, path);
    return (await response.json()) as T;
  }

  /** Sends a POST to a service. @returns the body of the response */
  async post<T>(service: string, path: string, body: object): Promise<T> {
    const response = await this.#request("POST", service, path, body);
    return (await response.json()) as T;
  }

  /** Sets the status of a volume in Cinder, as only an administrator can. */
  async setVolumeStatus(volume: string, status: string): Promise<void> {
    await this.#request("POST", "block-storage", `/volumes/${volume}/action`, {
      "os-reset_status": { status },
    });
  }

  /** Requests an action on a server from Nova, such as `{ lock: null }`. */
  async act(server: string, action: object): Promise<void> {
    await this.#request("POST", "compute", `/servers/${server}/action`, action);
  }

  /** Lists name and flavor of each server. */
  async flavorsOfServers(): Promise<(readonly [name: string, flavor: string])[]> {
    const { servers } = await this.get<{ servers: { name: string; flavor: { id: string } }[] }>(
      "compute",
      "/servers/detail",
    );
    const { flavors } = await this.get<{ flavors: { id: string; name: string }[] }>("compute", "/flavors");
    return servers.map(({ name, flavor }) => [
      name,
      flavors.find(({ id }) => id === flavor.id)?.name ?? flavor.id,
    ]);
  }

  /** Lists the actions on a server, the newest first. The server may be deleted. */
  async actions(server: string): Promise<string[]> {
    const path = `/servers/${server}/os-instance-actions`;
    const response = await this.#request("GET", "compute", path, undefined, {
      // the first microversion that lists actions of deleted servers
      "openstack-api-version": "compute 2.21",
    });
    const { instanceActions } = (await response.json()) as { instanceActions: { action: string }[] };
    return instanceActions.map(({ action }) => action);
  }

  /** Lists Nova's tags of a server, sorted. */
  async serverTags(server: string): Promise<string[]> {
    const response = await this.#request("GET", "compute", `/servers/${server}/tags`, undefined, {
      // the first microversion with tags
      "openstack-api-version": "compute 2.26",
    });
    return ((await response.json()) as { tags: string[] }).tags.sort();
  }

  /** Sends a PUT with binary data, such as an image. */
  async upload(service: string, path: string, data: Buffer): Promise<void> {
    await this.#request("PUT", service, path, data, { "content-type": "application/octet-stream" });
  }

  async put(service: string, path: string, body: object): Promise<void> {
    await this.#request("PUT", service, path, body);
  }

  async delete(service: string, path: string): Promise<void> {
    await this.#request("DELETE", service, path);
  }

  /** Returns the id of the network with this name. @throws Error unless there is exactly one */
  async networkId(name: string): Promise<string> {
    const { networks } = await this.get<{ networks: { id: string }[] }>(
      "network",
      `/v2.0/networks?name=${encodeURIComponent(name)}`,
    );
    const [network, ...more] = networks;
    if (network === undefined || more.length > 0)
      throw new Error(`the cloud has ${networks.length} networks ${name}`);
    return network.id;
  }

  /** Path of a list in Neutron's API, restricted to the project's own resources. */
  ofProject(collection: string): string {
    return `/v2.0/${collection}?project_id=${this.projectId}`;
  }

  /** Lists all resources of the project, of the kinds that a stack can create, as `<kind> <id>`. */
  async inventory(): Promise<string[]> {
    const kinds: [string, string, string][] = [
      ["compute", "/servers", "servers"],
      ["compute", "/os-server-groups", "server_groups"],
      ["network", this.ofProject("ports"), "ports"],
      ["network", this.ofProject("networks"), "networks"],
      ["network", this.ofProject("subnets"), "subnets"],
      ["network", this.ofProject("routers"), "routers"],
      ["network", this.ofProject("floatingips"), "floatingips"],
      ["network", this.ofProject("security-groups"), "security_groups"],
      ["block-storage", "/volumes", "volumes"],
      ["load-balancer", "/v2/lbaas/loadbalancers", "loadbalancers"],
      ["identity", `/users/${this.userId}/application_credentials`, "application_credentials"],
    ];
    const lists = await Promise.all(
      kinds.map(async ([service, path, key]) => {
        const body = await this.get<Record<string, { id: string; name?: string }[]>>(service, path);
        // each project has a security group that cannot be deleted
        const made = (body[key] ?? []).filter(({ name }) => key !== "security_groups" || name !== "default");
        return made.map(({ id }) => `${key} ${id}`);
      }),
    );
    const { keypairs } = await this.get<{ keypairs: { keypair: { name: string } }[] }>(
      "compute",
      "/os-keypairs",
    );
    return [...lists.flat(), ...keypairs.map(({ keypair }) => `keypairs ${keypair.name}`)].sort();
  }

  async #request(
    method: string,
    service: string,
    path: string,
    body?: object | Buffer,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const endpoint = this.catalog
      .find(({ type }) => type === service)
      ?.endpoints.find((candidate) => candidate.interface === "public");
    if (endpoint === undefined) throw new Error(`the cloud has no service ${service}`);
    const response = await fetch(endpoint.url + path, {
      method,
      headers: { "x-auth-token": this.token, "content-type": "application/json", ...headers },
      ...(body === undefined
        ? {}
        : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new Error(
        `${method} ${endpoint.url}${path} answers ${response.status}: ${await response.text()}`,
      );
    }
    return response;
  }
}
