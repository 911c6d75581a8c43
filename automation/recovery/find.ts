import { Fault } from "../fault";
import { progress, type Item, type Lookup } from "./lookups";
import { listed } from "../../components/openstack/listing";
import type { OpenStack, Service } from "../../components/openstack/session";
import { Missing, untilDone } from "../../components/base/until";
import { hasResource, nameOf, type ResourceState, type State } from "../stack/state";

/** Time in milliseconds after which the cloud has processed all requests that a cut-off run has sent. */
const SETTLING = 10_000;
/** Limits of the wait until the cloud has finished a creation or a deletion. */
const WORKING = { seconds: 10 * 60, pauseMs: 2_000 };

/** Result of a creation that was cut off. */
export type Outcome =
  | { readonly kind: "made"; readonly id: string }
  /** The resource exists, and is in the state already. */
  | { readonly kind: "known"; readonly id: string }
  | { readonly kind: "absent" }
  /** The cloud failed to create it, and the remains are deleted. */
  | { readonly kind: "failed"; readonly id: string }
  /** The cloud created it, and it is deleted, because the cut-off run alone could have completed it. */
  | { readonly kind: "unfinished"; readonly id: string };

/** Authenticated session with the cloud of a resource. */
type Cloud = Pick<OpenStack, "get" | "delete" | "userId">;

/**
 * Finds the result of a cut-off creation in the cloud; waits until the cloud has finished.
 * @param since end of the last process that could have sent a request, in milliseconds since the epoch
 * @throws Fault if there are several candidates
 */
export async function findMade(
  cloud: Cloud,
  lookup: Lookup,
  { resource, state, since }: { resource: ResourceState; state: State; since: number },
): Promise<Outcome> {
  const inputs = resource.inputs ?? {};
  const list = async (): Promise<readonly Item[]> => {
    const all = await listed<Item>(cloud, lookup.service, lookup.path(inputs, cloud), lookup.key);
    return all.filter(
      (item) => lookup.matches(item, inputs) && !["leaving", "gone"].includes(progress(item)),
    );
  };
  const outcome = await untilDone<Outcome>(async () => {
    const found = await list();
    const unknown = found.filter((item) => !hasResource(state, resource.type, lookup.id(item, inputs)));
    const [item, ...others] = unknown;
    if (others.length > 0) {
      const ids = unknown.map((one) => lookup.id(one, inputs)).join(", ");
      throw new Fault(
        `${nameOf(resource)}: ${ids} all match; delete those that are not needed, and run it again`,
      );
    }
    if (item === undefined) {
      if (Date.now() - since < SETTLING) return new Missing("a request may still be in progress");
      const [known] = found;
      return known === undefined ? { kind: "absent" } : { kind: "known", id: lookup.id(known, inputs) };
    }
    const id = lookup.id(item, inputs);
    // a part of an item is there, whatever the cloud is doing with the item
    const how = lookup.isPart === true ? "made" : progress(item);
    const isUnfinished = lookup.hasSecret === true || lookup.isUnfinished?.(inputs) === true;
    if (how === "made" && !isUnfinished) return { kind: "made", id };
    if (how === "underway") return new Missing(`${id} is still being created`);
    await deleteMade(cloud, lookup.service, lookup.item(id, inputs, cloud));
    return { kind: how === "made" ? "unfinished" : "failed", id };
  }, WORKING);
  if (!(outcome instanceof Missing)) return outcome;
  throw new Fault(`${nameOf(resource)}: ${outcome.text} after ${WORKING.seconds / 60} minutes`);
}

/**
 * Result of a deletion that was cut off. `kept`: deleted, but the cloud can restore it for a while; `underway`: the
 * cloud does not finish.
 */
export type End = "gone" | "kept" | "there" | "underway";

/**
 * Finds the result of a cut-off deletion; waits until the cloud has finished, ten minutes at most, because Nova waits
 * without limit for the compute host of a server.
 * @param since end of the last process that could have sent a request, in milliseconds since the epoch
 */
export async function findEnd(
  cloud: Pick<OpenStack, "get" | "userId">,
  { service, item, isPart, matches }: Lookup,
  { resource, since }: { resource: ResourceState; since: number },
): Promise<End> {
  const { id = "", inputs = {} } = resource;
  const end = await untilDone<End>(async () => {
    const body = await cloud.get<Record<string, Item>>(service, item(id, inputs, cloud));
    const [found] = Object.values(body ?? {});
    if (found === undefined || (isPart === true && !matches(found, inputs))) return "gone";
    const how = progress(found);
    if (how === "gone") return "kept";
    const isDone = how === "made" || how === "failed";
    return isDone && Date.now() - since >= SETTLING ? "there" : new Missing(`${id} still exists`);
  }, WORKING);
  return end instanceof Missing ? "underway" : end;
}

async function deleteMade(cloud: Cloud, service: Service, path: string): Promise<void> {
  await cloud.delete(service, path);
  const left = await untilDone(
    async () => ((await cloud.get(service, path)) === undefined ? undefined : new Missing(path)),
    WORKING,
  );
  if (left) throw new Fault(`${left.text} still exists after its deletion`);
}
