import { createHash } from "node:crypto";
import { CheckRequest, CheckResponse, CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { absent, created, plain, read, UNCHANGED, withValues } from "./answers";
import type { Belongings, Found } from "./belongings";
import { typeOfUrn } from "../stack/steps";
import type { Inventory } from "./inventory";
import type { Answers } from "./plugin-front";

const PORT = "openstack:networking/port:Port";

/** An address of no machine (RFC 5737): the program does not go on without the address of a port. */
const NO_ADDRESS = "192.0.2.1";

/**
 * Answers in place of the OpenStack plugin: a creation finds what an earlier run has created, and reads it with the
 * inputs of the program.
 */
export function openStackAnswers(belongings: Pick<Belongings, "find">, inventory: Inventory): Answers {
  const known = new Map<string, Found>();
  return {
    ...UNCHANGED,
    /** The engine keeps the inputs of this answer: a generated name becomes that of the item. */
    Check: async (bytes, pass) => {
      const answer = await pass("Check", bytes);
      const checked = CheckResponse.deserializeBinary(answer);
      const inputs = checked.getInputs();
      if (inputs === undefined || checked.getFailuresList().length > 0) return answer;
      const urn = CheckRequest.deserializeBinary(bytes).getUrn();
      const found = await belongings.find(typeOfUrn(urn), plain(inputs));
      if (found === undefined) return answer;
      known.set(urn, found);
      if (!inputs.getFieldsMap().has("name")) return answer;
      return checked.setInputs(withValues(inputs, { name: found.name })).serializeBinary();
    },
    Create: async (bytes, pass) => {
      const request = CreateRequest.deserializeBinary(bytes);
      const urn = request.getUrn();
      const inputs = request.getProperties();
      const { userData } = plain(inputs);
      const kept = typeof userData === "string" ? { userData: digest(userData) } : {};
      const { id } = known.get(urn) ?? {};
      const answer = id && (await read(request, id, withValues(inputs, { id, ...kept }), pass));
      if (!id || !answer) {
        inventory.lacks(urn);
        return absent(withValues(inputs, typeOfUrn(urn) === PORT ? { allFixedIps: [NO_ADDRESS] } : {}));
      }
      inventory.found(urn, id);
      return created(id, answer.getProperties());
    },
  };
}

/** The form in which Terraform's provider keeps the user data of a server in the state. */
function digest(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
