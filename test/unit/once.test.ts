import { once } from "../../components/base/once";

it("the cache asks once for each key, also where there is no answer yet or it is none", async () => {
  const asked: string[] = [];
  const ask = once(
    (word: string) => {
      asked.push(word);
      return word === "none" ? undefined : Promise.resolve(word.length);
    },
    (word) => word.toLowerCase(),
  );
  expect(await Promise.all([ask("one"), ask("ONE"), ask("three"), ask("none"), ask("none")])).toEqual([
    3,
    3,
    5,
    undefined,
    undefined,
  ]);
  expect(asked).toEqual(["one", "three", "none"]);
});
