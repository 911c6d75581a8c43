import { asFault, Fault, SettingsFault } from "../components/fault";

export { asFault, Fault, SettingsFault };

/** What cannot be meant: it names what there is not. */
export class UsageFault extends Fault {}
