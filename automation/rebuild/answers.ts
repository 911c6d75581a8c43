import type { ServiceError } from "@grpc/grpc-js";
import {
  CreateResponse,
  ErrorResourceInitFailed,
  ReadRequest,
  ReadResponse,
  type CreateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Struct, Value, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { Fault } from "../fault";
import { mapSecrets, plaintextOf, SECRET, type Properties, type ResourceState } from "../stack/state";
import type { Answers, Pass } from "./plugin-front";

/** Answers of every plugin: nothing is changed or deleted. */
export const UNCHANGED: Answers = {
  Update: () => Promise.reject(new Fault("nothing is changed while the state is made again")),
  Delete: () => Promise.reject(new Fault("nothing is deleted while the state is made again")),
};

/** Key of the details of an error in the metadata of gRPC. */
const STATUS_DETAILS = "grpc-status-details-bin";

/** Returns properties with their secrets in plain text. */
export function plain(properties: Struct | undefined): Properties {
  return revealed(properties?.toJavaScript() ?? {}) as Properties;
}

function revealed(value: unknown): unknown {
  return mapSecrets(value, (secret) => revealed(secret["value"]));
}

/** Returns a copy of properties, with some values replaced. */
export function withValues(
  properties: Struct | undefined,
  values: Readonly<Record<string, JavaScriptValue>>,
): Struct {
  const copy = Struct.deserializeBinary((properties ?? new Struct()).serializeBinary());
  for (const [key, value] of Object.entries(values))
    copy.getFieldsMap().set(key, Value.fromJavaScript(value));
  return copy;
}

/**
 * The outputs of a resource in a former state, as a plugin takes them: secrets are marked.
 * @param former of a state that was exported with its secrets
 */
export function formerOutputs({ outputs }: Pick<ResourceState, "outputs">): Struct {
  return Struct.fromJavaScript(marked(outputs ?? {}) as Record<string, JavaScriptValue>);
}

/** Converts the secrets of a state to those of a plugin. */
function marked(value: unknown): unknown {
  return mapSecrets(value, (secret) => ({ [SECRET]: secret[SECRET], value: marked(plaintextOf(secret)) }));
}

/**
 * Reads a resource with the inputs of the program, as a refresh does. Without properties the plugin would import it.
 * @returns undefined if it does not exist
 */
export async function read(
  request: CreateRequest,
  id: string,
  properties: Struct,
  pass: Pass,
): Promise<ReadResponse | undefined> {
  const reading = new ReadRequest()
    .setId(id)
    .setUrn(request.getUrn())
    .setName(request.getName())
    .setType(request.getType())
    .setInputs(request.getProperties())
    .setProperties(properties);
  const answer = await pass("Read", reading.serializeBinary()).then(
    (bytes) => ReadResponse.deserializeBinary(bytes),
    notReady,
  );
  return answer.getId() === "" ? undefined : answer;
}

/**
 * The resource that a plugin has read, and reports as an error because it is not ready yet.
 * @throws the error, if it is another one
 */
function notReady(error: unknown): ReadResponse {
  const [details] = (error as Partial<ServiceError>).metadata?.get(STATUS_DETAILS) ?? [];
  const all = details instanceof Uint8Array ? Status.deserializeBinary(details).getDetailsList() : [];
  const detail = all.find((one) => one.getTypeUrl().endsWith("/pulumirpc.ErrorResourceInitFailed"));
  if (detail === undefined) throw error;
  const found = ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  return new ReadResponse().setId(found.getId()).setProperties(found.getProperties());
}

/** The answer to a creation. */
export function created(id: string, properties: Struct | undefined): Uint8Array {
  return new CreateResponse().setId(id).setProperties(properties).serializeBinary();
}

/** The answer to the creation of a resource that does not exist: the program goes on, and the state loses it again. */
export function absent(inputs: Struct): Uint8Array {
  return created("missing", inputs);
}
