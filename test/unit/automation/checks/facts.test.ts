import { Fault } from "../../../../automation/fault";
import { factsOf } from "../../../../automation/checks/facts";

interface Kept {
  readonly copy: boolean;
  readonly snapshot: string | null;
}
const read = factsOf<Kept>({
  properties: { copy: { type: "boolean" }, snapshot: { type: "string", nullable: true } },
});

it("are read from the JSON that a script prints", () => {
  expect(read('{"copy": true, "snapshot": null}\n')).toEqual({ copy: true, snapshot: null });
});

it.each(["", "yes"])("are a fault where it prints %j", (printed) => {
  expect(() => read(printed)).toThrow(new Fault("the script's output is no JSON"));
});

it.each([
  "null",
  '{"copy": true}',
  '{"copy": "no", "snapshot": null}',
  '{"copy": true, "snapshot": null, "more": 1}',
])("are a fault where they are others: %s", (printed) => {
  expect(() => read(printed)).toThrow(new Fault("the script's output is not as expected"));
});
