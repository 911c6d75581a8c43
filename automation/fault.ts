/** What the operator can mend: shown as it is, without a stack trace. */
export class Fault extends Error {}

/** A command line that cannot be meant: it names what there is not. */
export class UsageFault extends Fault {}
