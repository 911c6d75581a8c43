import { jsonData } from "../../components/base/json";
import { fields, items, text, type Fields } from "../../components/kube/objects/object";
import { nameInPlace } from "../stack/places";
import { Fault } from "../fault";
import type { StackState } from "../stack/stack-state";
import { reveal } from "../stack/state";
import { COMMAND } from "../stack/steps";
import { askCluster } from "./ask";
import type { Finding } from "./checks";
import { factsOf } from "./facts";

const PROGRAM = "deploy/objects/scripts/readiness";

/** An object of a CNF that the last run has awaited until it was ready. */
export interface AwaitedObject extends Pick<Finding, "urn" | "vnf" | "step"> {
  /** Kind, namespace and name. */
  readonly name: string;
  /** Access to its cluster's API. */
  readonly access: Fields;
  /**
   * Path of the object on the API, or its apiVersion, kind and name, with the awaited condition: the input of
   * readiness.ts.
   */
  readonly whereabouts: Fields;
}

/**
 * The objects of a stack's CNFs, workload clusters among them, that must be ready as long as they exist. Jobs are left
 * out, as a completed Job may be deleted.
 * @param vnf only those of this instance
 */
export function awaitedObjects(state: StackState, vnf?: string): readonly AwaitedObject[] {
  return state.of(vnf).flatMap((resource): AwaitedObject[] => {
    const { urn, type, vnf: owner, inputs } = resource;
    if (type !== COMMAND) return [];
    const data = dataOf(reveal(inputs?.["stdin"]));
    const step = nameInPlace(resource);
    return [data, ...items(data["objects"]).map(fields)]
      .filter(({ until }) => until === "ready" || until === "available")
      .map((whereabouts) => ({
        ...{ urn, vnf: owner, step, access: fields(data["access"]), whereabouts },
        name: text(whereabouts["shown"]) ?? text(whereabouts["name"]) ?? "",
      }));
  });
}

/** The objects in the data of a script for a Kubernetes API; empty for any other script. */
function dataOf(stdin: unknown): Fields {
  const input = text(stdin);
  return input?.startsWith("{") ? fields(jsonData(input, "the data of a script in the state")) : {};
}

/**
 * Findings about objects that are not ready now, with the reason. Each cluster is queried once for all of its objects.
 */
export async function objectFindings(
  objects: readonly AwaitedObject[],
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const clusters = new Map<string, AwaitedObject[]>();
  for (const object of objects) {
    const key = JSON.stringify(object.access);
    clusters.set(key, [...(clusters.get(key) ?? []), object]);
  }
  return (await Promise.all([...clusters.values()].map((ofCluster) => findingsOn(ofCluster, signal)))).flat();
}

/** Parses the output of readiness.ts: for each object the reason why it is not ready, empty for a ready one. */
const readProblems = factsOf<readonly string[]>({ elements: { type: "string" } });

/**
 * @param objects of one cluster
 */
async function findingsOn(
  objects: readonly AwaitedObject[],
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const [first] = objects;
  if (first === undefined) return [];
  const questions = objects.map(({ name, whereabouts }) => ({ ...whereabouts, name }));
  const about = ({ urn, vnf, step }: AwaitedObject) => ({ urn, vnf, step });
  try {
    const answer = await askCluster([PROGRAM], { access: first.access, objects: questions }, signal);
    const problems = readProblems(answer);
    return objects.flatMap((object, i): Finding[] => {
      const text = problems[i] ?? "";
      return text === "" ? [] : [{ ...about(object), kind: "differs", text }];
    });
  } catch (error) {
    if (!(error instanceof Fault) || signal?.aborted) throw error;
    const text = `whether its objects are ready cannot be checked: ${error.message}`;
    const byVnf = new Map(objects.map((object) => [object.vnf, object]));
    return [...byVnf.values()].map((object) => ({ ...about(object), kind: "unchecked", text }));
  }
}
