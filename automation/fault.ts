import { asFault, Fault } from "../components/fault";

export { asFault, Fault };

/** A command line that cannot be meant: it names what there is not. */
export class UsageFault extends Fault {}
