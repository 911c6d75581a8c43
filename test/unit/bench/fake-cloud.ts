interface Port {
  readonly id: string;
  readonly address: string;
  /** Allowed address pairs. */
  readonly pairs: readonly string[];
}

interface Server {
  readonly id: string;
  readonly name: string;
  readonly port: Port;
  /** Server group in the scheduler hints. */
  readonly group: string | undefined;
}

interface Bodies {
  readonly port?: { readonly allowed_address_pairs?: readonly { readonly ip_address: string }[] };
  readonly server?: { readonly name: string; readonly networks: readonly { readonly port: string }[] };
  readonly "os:scheduler_hints"?: { readonly group: string };
}

/** Replacement for a cloud, with the functions that test/bench uses: every server is active at once. */
export class FakeCloud {
  readonly groups: string[] = [];
  servers: Server[] = [];
  readonly #ports: Port[] = [];
  #made = 0;

  readonly api = {
    get: (_: string, path: string) => {
      const named = (...names: string[]) => names.map((name) => ({ id: `id of ${name}`, name }));
      return Promise.resolve({
        images: named("debian-12-kube-v1.33.0"),
        flavors: named("m1.small", "m1.medium"),
        networks: named("public"),
        ...(path.startsWith("/servers/")
          ? { server: { status: "ACTIVE", "OS-EXT-AZ:availability_zone": "nova" } }
          : {}),
      });
    },
    post: () => Promise.resolve({}),
  };

  /** Addresses, in the order of their allocation. */
  get addresses(): string[] {
    return this.#ports.map(({ address }) => address);
  }

  create(_: string, path: string, body: Bodies): Promise<object> {
    const id = `${path}-${++this.#made}`;
    if (path === "/os-server-groups") this.groups.push(id);
    if (body.server !== undefined) this.#boot(id, body);
    if (body.port === undefined)
      return Promise.resolve({ server: { id }, security_group: { id }, server_group: { id } });
    const pairs = body.port.allowed_address_pairs?.map(({ ip_address }) => ip_address) ?? [];
    const port = { id, address: `198.19.0.${this.#ports.length + 20}`, pairs };
    this.#ports.push(port);
    return Promise.resolve({ port: { id, fixed_ips: [{ ip_address: port.address }] } });
  }

  remove(_: string, path: string): Promise<void> {
    this.servers = this.servers.filter(({ id }) => path !== `/servers/${id}`);
    return Promise.resolve();
  }

  /** Name of the server with an address, without the instance's name. */
  nameAt(address: string): string {
    return this.servers.find(({ port }) => port.address === address)?.name.replace("vnf-a-", "") ?? "";
  }

  #boot(id: string, { server, "os:scheduler_hints": hints }: Bodies): void {
    const port = this.#ports.find((it) => it.id === server?.networks[0]?.port);
    if (server === undefined || port === undefined) throw new Error("a server has a port that was made");
    this.servers.push({ id, name: server.name, port, group: hints?.group });
  }
}
