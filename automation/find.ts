import { setTimeout as sleep } from "node:timers/promises";
import { Fault } from "./fault";
import { isLeaving, progress, type Item, type Lookup } from "./lookups";
import type { OpenStack } from "./openstack";
import { knows, nameOf, type ResourceState, type State } from "./state";

/** A request that was on its way when the run was cut off may still be served; in milliseconds. */
const SETTLING = 10_000;
/** For what the cloud is still making; in milliseconds. */
const MAKING = 10 * 60_000;
const INTERVAL = 2_000;

/** What became of a creation that was cut off. */
export type Outcome =
  | { readonly kind: "made"; readonly id: string }
  /** It is in the state already. */
  | { readonly kind: "known"; readonly id: string }
  | { readonly kind: "absent" }
  /** The cloud failed to make it, and what was left of it is deleted. */
  | { readonly kind: "failed"; readonly id: string };

/**
 * Finds in the cloud what a cut-off creation made; waits until the cloud is done with it.
 *
 * @param since when the last process that could have sent a request ended; milliseconds of the epoch
 * @throws Fault if there are several
 */
export async function findMade(
  cloud: OpenStack,
  lookup: Lookup,
  { resource, state, since }: { resource: ResourceState; state: State; since: number },
): Promise<Outcome> {
  const inputs = resource.inputs ?? {};
  const list = async (): Promise<readonly Item[]> => {
    const body = await cloud.get<Record<string, Item[]>>(lookup.service, lookup.path(inputs));
    return (body?.[lookup.key] ?? []).filter((item) => lookup.matches(item, inputs));
  };
  const began = Date.now();
  for (;;) {
    const found = await list();
    const unknown = found.filter((item) => !knows(state, resource.type, lookup.id(item, inputs)));
    const [item, ...others] = unknown;
    if (others.length > 0) {
      const ids = unknown.map((one) => lookup.id(one, inputs)).join(", ");
      throw new Fault(
        `${nameOf(resource)}: ${ids} all match; delete those that nobody needs and run it again`,
      );
    }
    if (item === undefined) {
      if (Date.now() - since >= SETTLING) {
        const [known] = found;
        return known === undefined ? { kind: "absent" } : { kind: "known", id: lookup.id(known, inputs) };
      }
    } else {
      const id = lookup.id(item, inputs);
      const how = lookup.item === undefined ? "made" : progress(item);
      if (how === "made") return { kind: "made", id };
      if (how === "failed") {
        await deleteFailed(cloud, lookup, item);
        return { kind: "failed", id };
      }
      if (Date.now() - began >= MAKING) {
        throw new Fault(`${nameOf(resource)}: ${id} is still being made after ${MAKING / 60_000} minutes`);
      }
    }
    await sleep(INTERVAL);
  }
}

/**
 * Waits until the cloud is done with a deletion that was cut off, or has not got it.
 *
 * @param since when the last process that could have sent a request ended; milliseconds of the epoch
 * @throws Fault if the cloud does not end it
 */
export async function awaitDeletion(
  cloud: OpenStack,
  { service, item: path }: Lookup,
  { resource: { id }, since }: { resource: ResourceState; since: number },
): Promise<void> {
  if (path === undefined) return;
  const one = path({ id });
  const end = Date.now() + MAKING;
  for (;;) {
    const body = await cloud.get<Record<string, Item>>(service, one);
    const [item] = Object.values(body ?? {});
    if (item === undefined || (!isLeaving(item) && Date.now() - since >= SETTLING)) return;
    if (Date.now() >= end)
      throw new Fault(
        `${one} is still being deleted after ${MAKING / 60_000} minutes: see why, and run it again`,
      );
    await sleep(INTERVAL);
  }
}

async function deleteFailed(cloud: OpenStack, { service, item: path }: Lookup, item: Item): Promise<void> {
  if (path === undefined) return;
  await cloud.delete(service, path(item));
  for (const end = Date.now() + MAKING; (await cloud.get(service, path(item))) !== undefined;) {
    if (Date.now() >= end) throw new Fault(`${path(item)} is still there after its deletion`);
    await sleep(INTERVAL);
  }
}
