/** What the operator can mend: shown as it is, without a stack trace. */
export class Fault extends Error {}
