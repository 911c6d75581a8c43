import { Fault } from "../components/fault";

export { Fault };

/** A command line that cannot be meant: it names what there is not. */
export class UsageFault extends Fault {}
