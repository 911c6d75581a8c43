import { Bytes } from "../../components/base/net/bytes";

it("the buffer has all parts in their order, and forgets the first ones when it is told", () => {
  const bytes = new Bytes();
  for (const part of ["ab", "", "cdefg", "h"]) bytes.add(Buffer.from(part));
  expect([bytes.length, bytes.all.toString()]).toEqual([8, "abcdefgh"]);
  bytes.keepLast(9);
  expect(bytes.all.toString()).toBe("abcdefgh");
  bytes.keepLast(3);
  bytes.add(Buffer.from("i"));
  expect(bytes.all.toString()).toBe("fghi");
});
