import { asFault, Fault } from "../components/base/fault";
import { SettingsFault } from "../components/base/settings-fault";

export { asFault, Fault, SettingsFault };

/** What cannot be meant: it names what there is not. */
export class UsageFault extends Fault {}
