import { findingOf, Findings, type Place } from "../../components/base/findings";
import { SettingsFault } from "../../components/base/settings-fault";

/** A place where nothing is wrong yet; what a check records there is in `findings.texts`. */
export function placeOf(...parts: readonly (string | number)[]): Place {
  return new Findings().at(...parts);
}

/** What a check records, as operators see it. */
export function recorded(check: (faults: Findings) => unknown): readonly string[] {
  const faults = new Findings();
  check(faults);
  return faults.texts;
}

/** A fault of the stack config with these texts. */
export function settingsFault(...texts: readonly string[]): SettingsFault {
  return new SettingsFault(texts.map(findingOf));
}
