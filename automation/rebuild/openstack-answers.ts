import { createHash } from "node:crypto";
import { CheckRequest, CheckResponse, CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { created, plain, read, UNCHANGED, withValues } from "./answers";
import type { Belongings, Found } from "./belongings";
import { typeOf, type Inventory } from "./inventory";
import type { Answers } from "./plugin-front";

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
      const found = await belongings.find(typeOf(urn), plain(inputs));
      if (found === undefined) return answer;
      known.set(urn, found);
      if (!inputs.getFieldsMap().has("name")) return answer;
      return checked.setInputs(withValues(inputs, { name: found.name })).serializeBinary();
    },
    Create: async (bytes, pass) => {
      const request = CreateRequest.deserializeBinary(bytes);
      const urn = request.getUrn();
      const found = known.get(urn);
      if (found === undefined) throw inventory.lacks(urn);
      const inputs = request.getProperties();
      const { userData } = plain(inputs);
      const kept = typeof userData === "string" ? { userData: digest(userData) } : {};
      const answer = await read(request, found.id, withValues(inputs, { id: found.id, ...kept }), pass);
      if (answer === undefined) throw inventory.lacks(urn);
      inventory.found(urn, found.id);
      return created(answer.getId(), answer.getProperties());
    },
  };
}

/** The form in which Terraform's provider keeps the user data of a server in the state. */
function digest(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}
