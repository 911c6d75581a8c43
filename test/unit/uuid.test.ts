import { Fault } from "../../components/base/fault";
import { cloudId } from "../../components/base/uuid";

it.each(["2c7a3c0e-5a9f-4d0b-8f3a-1f6a7a0f2b11", "2c7a3c0e5a9f4d0b8f3a1f6a7a0f2b11"])(
  "vnfm takes the id %s of a cloud",
  (id) => {
    expect(cloudId(id, "a volume")).toBe(id);
  },
);

it.each([
  ["", '""'],
  ["*", '"*"'],
  ["../sda", '"../sda"'],
  ["a 10 /etc", '"a 10 /etc"'],
  ["a\nb 10 /etc", String.raw`"a\nb 10 /etc"`],
  ["a|w /etc/passwd", '"a|w /etc/passwd"'],
])("vnfm refuses %j for an id of a cloud", (text, shown) => {
  expect(() => cloudId(text, "a volume")).toThrow(
    new Fault(
      `a volume: the cloud returned ${shown} as its id, which is not valid: ids have only letters, digits, - and _`,
    ),
  );
});
