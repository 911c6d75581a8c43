import { createHash } from "node:crypto";
import { CheckRequest, CheckResponse, CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import type { JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { text } from "../../components/kube/objects/object";
import { Fault } from "../fault";
import { absent, created, formerOutputs, plain, read, UNCHANGED, withValues } from "./answers";
import type { Belongings, Found } from "./belongings";
import { FLOATING_IP, PORT } from "../changes/kinds";
import { lookupOf } from "../recovery/lookups";
import { reveal, type Properties, type ResourceState } from "../stack/state";
import { nameOfUrn, typeOfUrn } from "../stack/steps";
import type { Inventory } from "./inventory";
import type { Answers } from "./plugin-front";

/** Addresses of no machine (RFC 5737 and RFC 3849). */
const NO_ADDRESS = "192.0.2.1";
const NO_IPV6_ADDRESS = "2001:db8::1";

/**
 * Answers in place of the OpenStack plugin: a creation finds what an earlier run has created, and reads it with the
 * inputs of the program. What has a secret that only its creation returns is found by a former state.
 * @param former resources of an earlier state by URN, with secrets in plain text
 */
export function openStackAnswers(
  belongings: Pick<Belongings, "find">,
  former: ReadonlyMap<string, ResourceState>,
  inventory: Inventory,
): Answers {
  const known = new Map<string, Found>();
  const hasSecret = (urn: string): boolean => lookupOf(typeOfUrn(urn))?.hasSecret === true;
  /** Properties with which the plugin reads an item. */
  const toRead = (urn: string, id: string, inputs: Struct | undefined): Struct => {
    const before = hasSecret(urn) ? former.get(urn) : undefined;
    if (before !== undefined) return formerOutputs(before);
    const { userData } = plain(inputs);
    return withValues(inputs, { id, ...(typeof userData === "string" && { userData: digest(userData) }) });
  };
  return {
    ...UNCHANGED,
    /** The engine keeps the inputs of this answer: a generated name becomes that of the item. */
    Check: async (bytes, pass) => {
      const answer = await pass("Check", bytes);
      const checked = CheckResponse.deserializeBinary(answer);
      const inputs = checked.getInputs();
      if (inputs === undefined || checked.getFailuresList().length > 0) return answer;
      const urn = CheckRequest.deserializeBinary(bytes).getUrn();
      const found = hasSecret(urn)
        ? foundIn(former.get(urn))
        : await belongings.find(typeOfUrn(urn), plain(inputs), former.get(urn)?.id);
      if (found === undefined) return answer;
      known.set(urn, found);
      if (!inputs.getFieldsMap().has("name")) return answer;
      return checked.setInputs(withValues(inputs, { name: found.name })).serializeBinary();
    },
    Create: async (bytes, pass) => {
      const request = CreateRequest.deserializeBinary(bytes);
      const urn = request.getUrn();
      const inputs = request.getProperties();
      const { id } = known.get(urn) ?? {};
      const answer = id === undefined ? undefined : await read(request, id, toRead(urn, id, inputs), pass);
      if (id !== undefined && answer !== undefined) {
        inventory.found(urn, id);
        return created(id, answer.getProperties());
      }
      if (hasSecret(urn)) {
        inventory.lacksSecret(urn);
        return absent(withValues(inputs, { secret: "" }));
      }
      inventory.lacks(urn);
      return absent(withValues(inputs, placeholders(urn, plain(inputs))));
    },
  };
}

/**
 * Outputs of a resource that no longer exists, without which the program does not go on.
 * @throws Fault if the program needs more of it
 */
function placeholders(urn: string, { fixedIps = [] }: Properties): Record<string, JavaScriptValue> {
  switch (typeOfUrn(urn)) {
    case PORT: {
      const requested = (fixedIps as readonly Properties[]).flatMap(({ ipAddress }) => text(ipAddress) ?? []);
      return { allFixedIps: requested.length > 0 ? requested : [NO_ADDRESS, NO_IPV6_ADDRESS] };
    }
    case FLOATING_IP:
      return { address: NO_ADDRESS };
    case "openstack:loadbalancer/loadBalancer:LoadBalancer":
      throw new Fault(
        `${nameOfUrn(urn)}: the load balancer no longer exists, and with it the address of the API: the state cannot be ` +
          "rebuilt without it. Remove the instance from the stack config, and create a new one",
      );
    default:
      return {};
  }
}

function foundIn(former: ResourceState | undefined): Found | undefined {
  if (former?.id === undefined) return undefined;
  const { name } = reveal(former.outputs ?? {}) as { readonly name?: unknown };
  return { id: former.id, name: String(name) };
}

/** The form in which Terraform's provider keeps the user data of a server in the state. */
function digest(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
