import { findingOf, Findings, type Place } from "../../components/base/findings";
import { SettingsFault } from "../../components/base/settings-fault";

/** Returns a place without errors. A check records its errors in `findings.texts`. */
export function placeOf(...parts: readonly (string | number)[]): Place {
  return new Findings().at(...parts);
}

/** Returns the errors that a check records, as operators see them. */
export function recorded(check: (faults: Findings) => unknown): readonly string[] {
  const faults = new Findings();
  check(faults);
  return faults.texts;
}

/** Returns an error in the stack config with these texts. */
export function settingsFault(...texts: readonly string[]): SettingsFault {
  return new SettingsFault(texts.map(findingOf));
}
