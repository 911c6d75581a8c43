/**
 * The result of a call, or what it throws, where it took less processor time than that, whatever else the machine does.
 * The bounds of tests have a wide margin: what is linear takes a fraction of them, and what is not many times as much.
 */
export function within<T>(seconds: number, call: () => T): T {
  const before = process.cpuUsage();
  try {
    return call();
  } finally {
    expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(seconds);
  }
}
