/**
 * Calls a function, and expects that it takes less processor time than `seconds`; other programs do not influence it.
 * Bounds are wide: linear time is a fraction of them, and anything worse takes many times as long.
 */
export function within<T>(seconds: number, call: () => T): T {
  const before = process.cpuUsage();
  try {
    return call();
  } finally {
    expect(process.cpuUsage(before).user / 1_000_000).toBeLessThan(seconds);
  }
}
