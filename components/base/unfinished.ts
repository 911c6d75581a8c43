/**
 * Makes a process fail if it ends while its work is unfinished. Node.js ends with status 0 when it waits for nothing
 * outside, even if a promise never settles. To Pulumi such a program has declared nothing, so it would delete the whole
 * stack.
 */

/** Exit status of a process with unfinished work. */
const STATUS = 1;

/** Descriptions of unfinished work, for messages. */
const underWay: Set<{ readonly work: string }> = new Set();
let report: ((message: string) => void) | undefined;

/**
 * Marks work as unfinished until its promise settles.
 * @param work description for operators, such as `the plan of the stack`
 * @param show prints the message if the process ends first; it may be asynchronous
 * @returns the same promise
 */
export function mustFinish<T>(
  work: string,
  promise: Promise<T>,
  show: (message: string) => void,
): Promise<T> {
  if (report === undefined) {
    // a later handler of pulumi.runtime reports success to the engine if the status is 0
    process.on("beforeExit", fail);
    // for calls of process.exit() elsewhere
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
