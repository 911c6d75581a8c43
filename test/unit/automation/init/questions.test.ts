/** Questions on a terminal: an answer that cannot be meant is asked for again, no answer is the default. */
import { PassThrough } from "node:stream";
import { byTerminal, type Question } from "../../../../automation/init/questions";
import { UsageFault } from "../../../../automation/fault";

const terminal = new PassThrough();
const stdin = Object.getOwnPropertyDescriptor(process, "stdin")!;

beforeEach(() => {
  Object.defineProperty(process, "stdin", { value: terminal, configurable: true });
});
afterEach(() => {
  Object.defineProperty(process, "stdin", stdin);
  jest.restoreAllMocks();
});

const QUESTION: Question<number> = {
  option: "size",
  asks: "how large",
  offers: ["1", "2"],
  fallback: "2",
  read: (answer) => {
    if (!["1", "2"].includes(answer)) throw new UsageFault(`--size: "${answer}" is not one of 1, 2`);
    return Number(answer);
  },
};

/** Types one line for each prompt. */
async function answered(given: Record<string, string>, ...lines: string[]): Promise<[number, string[]]> {
  const told: string[] = [];
  jest.spyOn(process.stdout, "write").mockImplementation((text) => {
    const line = String(text).startsWith("size [2]: ") ? lines.shift() : undefined;
    if (line !== undefined) setImmediate(() => terminal.write(`${line}\n`));
    return true;
  });
  const result = await byTerminal(given, (line) => told.push(line))(QUESTION);
  return [result, told];
}

it("the prompt takes the default where nothing is said", async () => {
  expect(await answered({}, "")).toEqual([2, ["how large:", "  1", "  2"]]);
});

it("the prompt asks again, with what is wrong", async () => {
  expect(await answered({}, "3", "1")).toEqual([
    1,
    ["how large:", "  1", "  2", '--size: "3" is not one of 1, 2'],
  ]);
});

it("the prompt asks nothing that an option answers", async () => {
  expect(await answered({ size: "1" })).toEqual([1, []]);
});

it("the prompt ends where the terminal does", async () => {
  jest.spyOn(process.stdout, "write").mockReturnValue(true);
  const ended = byTerminal({}, () => undefined)(QUESTION);
  terminal.end();
  await expect(ended).rejects.toThrow("no answer: nothing was written");
});
