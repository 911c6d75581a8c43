/** The loop that waits, on a clock that its pauses move. */
import { Missing, untilDone } from "../../components/base/until";

jest.mock("node:timers/promises", () => ({
  setTimeout: (milliseconds: number) => Promise.resolve(jest.setSystemTime(Date.now() + milliseconds)),
}));

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

/** When it was asked, in milliseconds. */
let asked: number[];
beforeEach(() => (asked = []));

/** @param seconds after which nothing is missing */
const doneAfter = (seconds: number) => () => {
  asked.push(Date.now());
  return Promise.resolve(Date.now() >= seconds * 1000 ? "done" : new Missing(`at ${Date.now()} ms`));
};

it("the loop asks at once, and no more where nothing is missing", async () => {
  expect(await untilDone(doneAfter(0), { seconds: 60, pauseMs: 1000 })).toBe("done");
  expect(asked).toEqual([0]);
});

it("the loop asks after each pause until nothing is missing", async () => {
  expect(await untilDone(doneAfter(2.5), { seconds: 60, pauseMs: 1000 })).toBe("done");
  expect(asked).toEqual([0, 1000, 2000, 3000]);
});

it("the loop asks sooner at first where it may", async () => {
  await untilDone(doneAfter(2), { seconds: 60, firstPauseMs: 400, pauseMs: 800 });
  expect(asked).toEqual([0, 400, 1000, 1800, 2600]);
});

it("the loop has what is missing when the time is over, after a last question", async () => {
  const missing = await untilDone(doneAfter(9), { seconds: 2.5, pauseMs: 1000 });
  expect([missing, asked]).toEqual([new Missing("at 2500 ms"), [0, 1000, 2000, 2500]]);
});

it("the loop asks once where it has no time", async () => {
  expect(await untilDone(doneAfter(9), { seconds: 0, pauseMs: 1000 })).toEqual(new Missing("at 0 ms"));
});

it("the loop tells what is missing every ten seconds", async () => {
  const told: string[] = [];
  await untilDone(doneAfter(25), {
    seconds: 60,
    pauseMs: 4000,
    report: (missing) => void told.push(missing),
  });
  expect(told).toEqual(["at 12000 ms", "at 24000 ms"]);
});

it("the loop takes an error that passes for what is missing, and throws every other one", async () => {
  const errors = [new Error("the API is away"), new Error("forbidden")];
  const ask = () => Promise.reject(errors[asked.push(0) - 1] ?? new Error("asked too often"));
  const passes = (error: unknown) => error === errors[0];
  await expect(untilDone(ask, { seconds: 60, pauseMs: 1000, passes })).rejects.toBe(errors[1]);
  asked = [];
  expect(await untilDone(ask, { seconds: 0, pauseMs: 1000, passes })).toEqual(new Missing("the API is away"));
});
