import { asFault, Fault } from "../components/fault";
import { SettingsFault } from "../components/settings-fault";

export { asFault, Fault, SettingsFault };

/** What cannot be meant: it names what there is not. */
export class UsageFault extends Fault {}
