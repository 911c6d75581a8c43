import Ajv, { type JTDSchemaType } from "ajv/dist/jtd";
import { jsonData } from "../../components/base/json";
import { Fault } from "../fault";

// the compiler checks the schemas; to check them here takes a second
const ajv = new Ajv({ validateSchema: false });

/**
 * A parser of a script's JSON output, for decisions of vnfm. The schema is JSON Type Definition (RFC 8927).
 * @throws Fault for any other output, without its content
 */
export function factsOf<T>(schema: JTDSchemaType<T>): (printed: string) => T {
  return (printed) => {
    const facts = jsonData(printed, "the script's output");
    // compiled once
    const hasShape = ajv.compile<T>(schema);
    if (hasShape(facts)) return facts;
    throw new Fault("the script's output is not as expected");
  };
}
