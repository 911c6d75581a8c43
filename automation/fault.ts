import { asFault, Fault } from "../components/base/fault";
import { SettingsFault } from "../components/base/settings-fault";

export { asFault, Fault, SettingsFault };

/** An invalid request: it names something that does not exist. */
export class UsageFault extends Fault {}
