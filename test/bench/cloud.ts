import { OpenStack } from "../support/openstack";
import { until } from "../support/until";

interface Created {
  readonly service: string;
  readonly path: string;
}

/** The lab's cloud for whoever makes things in it without an engine, and takes them all away again. */
export class Cloud {
  readonly #created: Promise<Created>[] = [];
  #closed = false;

  private constructor(readonly api: OpenStack) {}

  static async connect(): Promise<Cloud> {
    return new Cloud(await OpenStack.connect());
  }

  /** Makes something that `cleanUp` deletes. @param nameOf finds the last part of its path in the answer */
  create<T>(service: string, path: string, body: object, nameOf: (answer: T) => string): Promise<T> {
    if (this.#closed) throw new Error("the clean-up has begun");
    const answer = this.api.post<T>(service, path, body);
    const created = answer.then((it) => ({ service, path: `${path}/${nameOf(it)}` }));
    // whoever waits for the answer sees that it failed; the clean-up passes over it
    created.catch(() => undefined);
    this.#created.push(created);
    return answer;
  }

  /** Deletes something and waits until it is gone. */
  async remove(service: string, path: string): Promise<void> {
    const there = () =>
      this.api.get(service, path).then(
        () => true,
        () => false,
      );
    await this.api.delete(service, path).catch(async (error: unknown) => {
      if (await there()) throw error;
    });
    await until(300, `${path} to be gone`, async () => !(await there()));
  }

  /**
   * Deletes what was made and is there still, the newest first; a server is gone before its port is deleted.
   * @throws Error naming what cannot be deleted, once all else is
   */
  async cleanUp(): Promise<void> {
    this.#closed = true;
    const settled = await Promise.allSettled(this.#created);
    const created = settled.flatMap((it) => (it.status === "fulfilled" ? [it.value] : [])).reverse();
    const servers = created.filter(({ path }) => path.startsWith("/servers/"));
    const left: string[] = [];
    const remove = ({ service, path }: Created) =>
      this.remove(service, path).catch((error: unknown) => left.push(`${path}: ${String(error)}`));
    await Promise.all(servers.map(remove));
    for (const other of created.filter((it) => !servers.includes(it))) await remove(other);
    if (left.length > 0) throw new Error(`left in the cloud:\n${left.join("\n")}`);
  }
}
