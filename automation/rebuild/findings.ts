import { createHash } from "node:crypto";
import {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  ReadRequest,
  ReadResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Fault } from "../fault";
import { nameOfUrn, SERVER } from "../stack/steps";
import type { Properties } from "../stack/state";
import type { Belongings, Found } from "./belongings";
import type { Answers } from "./plugin-front";

/** Key of a secret in properties that the engine sends to a plugin. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** End of the error about a resource that the cloud does not have. */
export const MISSING = "is not in the cloud";

/**
 * Answers in place of the OpenStack plugin: a creation finds what an earlier run has created, and reads it with the
 * inputs of the program; nothing is created, changed or deleted.
 */
export class Findings {
  readonly #found = new Map<string, Found>();
  readonly #missing: string[] = [];

  constructor(private readonly belongings: Pick<Belongings, "find">) {}

  /** Names of the resources that the cloud does not have. */
  get missing(): readonly string[] {
    return this.#missing;
  }

  /** Ids of the resources that were found, by type. */
  has(type: string, id: string): boolean {
    return [...this.#found].some(([urn, found]) => typeOf(urn) === type && found.id === id);
  }

  readonly answers: Answers = {
    /** The engine keeps the inputs of this answer: a generated name becomes that of the item. */
    Check: async (bytes, pass) => {
      const answer = await pass("Check", bytes);
      const checked = CheckResponse.deserializeBinary(answer);
      const inputs = checked.getInputs();
      if (inputs === undefined || checked.getFailuresList().length > 0) return answer;
      const urn = CheckRequest.deserializeBinary(bytes).getUrn();
      const found = await this.belongings.find(typeOf(urn), plain(inputs.toJavaScript()) as Properties);
      if (found === undefined) return answer;
      this.#found.set(urn, found);
      inputs.getFieldsMap().get("name")?.setStringValue(found.name);
      return checked.serializeBinary();
    },
    Create: async (bytes, pass) => {
      const request = CreateRequest.deserializeBinary(bytes);
      const urn = request.getUrn();
      const found = this.#found.get(urn);
      const read = found && (await this.#read(request, found.id, pass));
      if (read === undefined) {
        this.#missing.push(nameOfUrn(urn));
        throw new Fault(`${nameOfUrn(urn)} ${MISSING}`);
      }
      const response = new CreateResponse();
      response.setId(read.getId());
      response.setProperties(read.getProperties());
      return response.serializeBinary();
    },
    Update: () => Promise.reject(new Fault("nothing is changed while the state is made again")),
    Delete: () => Promise.reject(new Fault("nothing is deleted while the state is made again")),
  };

  /** @returns undefined if the item was deleted in the meantime */
  async #read(
    request: CreateRequest,
    id: string,
    pass: Parameters<Answers[string]>[1],
  ): Promise<ReadResponse | undefined> {
    const inputs = request.getProperties() ?? new Struct();
    // without properties the plugin would import the item, without the inputs of the program
    const properties = Struct.deserializeBinary(inputs.serializeBinary());
    const known = plain(inputs.toJavaScript()) as Properties;
    properties.getFieldsMap().set("id", Struct.fromJavaScript({ id }).getFieldsMap().get("id")!);
    const { userData } = known as { userData?: unknown };
    if (typeOf(request.getUrn()) === SERVER && typeof userData === "string")
      properties.getFieldsMap().get("userData")?.setStringValue(digest(userData));
    const read = new ReadRequest();
    read.setId(id);
    read.setUrn(request.getUrn());
    read.setName(request.getName());
    read.setType(request.getType());
    read.setInputs(inputs);
    read.setProperties(properties);
    const answer = ReadResponse.deserializeBinary(await pass("Read", read.serializeBinary()));
    return answer.getId() === "" ? undefined : answer;
  }
}

/** The form in which Terraform's provider keeps user data in the state. */
function digest(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

function typeOf(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}

/** Properties without the marks of secrets. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if (SECRET in value) return plain((value as { readonly value?: unknown }).value);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
}
