import Ajv, { type JTDSchemaType } from "ajv/dist/jtd";
import { jsonData } from "../../components/base/json";
import { Fault } from "../fault";

// that the schemas are right the compiler sees; to check it as well takes a second
const ajv = new Ajv({ validateSchema: false });

/**
 * Reads what a script prints for the program to decide on: JSON of one shape, which says a schema of JSON Type Definition
 * (RFC 8927).
 *
 * @throws Fault if it is anything else, with nothing of it in the message
 */
export function factsOf<T>(schema: JTDSchemaType<T>): (printed: string) => T {
  return (printed) => {
    const facts = jsonData(printed, "what the script says");
    // compiled once
    const hasShape = ajv.compile<T>(schema);
    if (hasShape(facts)) return facts;
    throw new Fault("what the script says is not what it is asked for");
  };
}
