/**
 * Keeps a process from ending as if all were well while work of it is under way. Node.js ends with status 0 once it waits for
 * nothing outside, also where a promise that it should have waited for never settles; for the engine a program that ends so
 * declares nothing, and all of the stack is deleted.
 */

/** The status of a process that has ended before its work. */
const STATUS = 1;

/** The work that is under way, each piece in an operator's words. */
const underWay: Set<{ readonly work: string }> = new Set();
let report: ((message: string) => void) | undefined;

/**
 * Marks a work as under way until its promise settles.
 * @param work in an operator's words, such as `the plan of the stack`
 * @param show shows the message where the process ends before, and may go on to do so for a
 * moment
 * @returns the same promise
 */
export function mustFinish<T>(
  work: string,
  promise: Promise<T>,
  show: (message: string) => void,
): Promise<T> {
  if (report === undefined) {
    // of pulumi.runtime's own handlers one tells the engine that the program has succeeded, later than this and for status 0
    process.on("beforeExit", fail);
    // process.exit() of somebody else
    process.on("exit", fail);
  }
  report = show;
  const piece = { work };
  underWay.add(piece);
  const settled = () => void underWay.delete(piece);
  promise.then(settled, settled);
  return promise;
}

function fail() {
  if (underWay.size === 0 || (process.exitCode ?? 0) !== 0) return;
  process.exitCode = STATUS;
  const works = [...new Set([...underWay].map(({ work }) => work))];
  report?.(
    `the process ends before this is done: ${works.join(", ")}. It waited for something that neither happened nor failed, ` +
      "which is a defect of vnfm: please report it",
  );
}
