import { Order } from "../../bench/order";

/** Runs a, b, c and d: b needs a, d needs c. @returns what begins and what ends, in order */
async function events(kind: Order["kind"]): Promise<string[]> {
  const seen: string[] = [];
  const order = new Order(kind);
  const act = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
    return name;
  };
  const a = order.step([], act("a"));
  void order.step([a], act("b"));
  const c = order.step([], act("c"));
  void order.step([c], act("d"));
  await order.done();
  return seen;
}

describe("the best order", () => {
  it("begins each step as soon as what it needs is there", async () => {
    expect(await events("best")).toEqual([
      ...["a begins", "c begins", "a ends", "b begins"],
      ...["c ends", "d begins", "b ends", "d ends"],
    ]);
  });
});

describe("the serial order", () => {
  it("ends each step before the one that is declared next begins", async () => {
    expect(await events("serial")).toEqual(
      ["a", "b", "c", "d"].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });
});

describe.each(["best", "serial"] as const)("any order (%s)", (kind) => {
  it("gives a step the values of what it needs", async () => {
    const order = new Order(kind);
    const step = order.step([Promise.resolve(1), Promise.resolve("b")], (one, b) =>
      Promise.resolve(`${one}${b}`),
    );
    expect(await step).toBe("1b");
  });

  it("ends with the first failure, and begins nothing that needed it", async () => {
    const order = new Order(kind);
    const failed = order.step([], () => Promise.reject(new Error("no host")));
    const next = jest.fn(() => Promise.resolve());
    void order.step([failed], next);
    await expect(order.done()).rejects.toThrow("no host");
    expect(next).not.toHaveBeenCalled();
  });

  it("waits for what goes on beside the steps", async () => {
    const order = new Order(kind);
    void order.beside(Promise.reject(new Error("no rules")));
    await expect(order.done()).rejects.toThrow("no rules");
  });
});
