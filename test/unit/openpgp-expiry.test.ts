/** Keys that GnuPG 2.2 has made with a faked time, and what it says of their end. */
import { keyringExpiry } from "../../components/base/keys/openpgp-expiry";
import { ENDING_KEY } from "./fixtures";

const key = (...lines: readonly string[]) => Buffer.from(lines.join(""), "base64");

/** Key of 2026-01-01, valid until 2026-03-01. */
const SHORT = key(ENDING_KEY);
/** Key of that day, valid until 2027-03-01. */
const LONG = key(
  "mDMEaVW5ABYJKwYBBAHaRw8BAQdAXEk9jZFYAfCivpBcbhakVRImN1+HxaWUCzpH/kBvYM20BGxvbmeIlgQTFggAPhYhBCG3rmt5",
  "rdlQO+Qo9SdpgBtwdtqgBQJpVbkAAhsDBQkCLvwABQsJCAcCBhUKCQgLAgQWAgMBAh4BAheAAAoJECdpgBtwdtqgg38A/ju74lYC",
  "JACGohybe0rslU2HpxOCzPts1Eu0VudzAf+GAP415Fdg1Ctrj0r4nOZYbSE+gD2GSxt0guu+qrcx9U6BDw==",
);
/** Key of that day, without an end. */
const ENDLESS = key(
  "mDMEaVW5ABYJKwYBBAHaRw8BAQdASU+BpdCpeO189JntagiOER/i/d6vYPfWvXme5O18oaq0B2VuZGxlc3OIkAQTFggAOBYhBPF8",
  "wNJtNvBJboWUsrAQvgiZcS9+BQJpVbkAAhsDBQsJCAcCBhUKCQgLAgQWAgMBAh4BAheAAAoJELAQvgiZcS9+fzAA/1EICliJdd9u",
  "BdSzcUoAWW4b8Od6J4vwkBmkTn8c7X4kAP0TfnZI7o5kOJZzwBsGJ+yrESkCdhDU0WeRlLcQ7KK/Aw==",
);
/** SHORT with a signature of ENDLESS, and with a subkey that ends on 2026-02-01. */
const WITH_OTHERS = key(
  "mDMEaVW5ABYJKwYBBAHaRw8BAQdAPQ9YlosDygLRPZpAWLC7GbV9iA2I0Gj7lfUNg21JQxO0BXNob3J0iJYEExYIAD4WIQTvD/pu",
  "CWm8+0RqovJ3EtAPlGCgIgUCaVW5AAIbAwUJAE3IgAULCQgHAgYVCgkICwIEFgIDAQIeAQIXgAAKCRB3EtAPlGCgIkkJAQDj489L",
  "8YgzeMcu+T/sfjD2+0RQrjOgbHOW54tal1y+YwEAn+kcxHXL0MIlqCiYm9j6kgDi6QoYawxSgQhKW/S75wOIdQQQFggAHRYhBPF8",
  "wNJtNvBJboWUsrAQvgiZcS9+BQJpVwqAAAoJELAQvgiZcS9+2o0BAJqU07hihao8c/9bf6K0t3cn3z11LoRkKz1k2zJmtf6UAQD/",
  "NH/jg4PQ9fvVz0+FdV+ol2VCWceICe+j8SDwVN1wCLgzBGlXCoAWCSsGAQQB2kcPAQEHQCU83KB5FHpKl+n7YQf9ODLt314OPzzQ",
  "qoK0qbdTV9NDiPUEGBYIACYWIQTvD/puCWm8+0RqovJ3EtAPlGCgIgUCaVcKgAIbAgUJACeNAACBCRB3EtAPlGCgInYgBBkWCAAd",
  "FiEE98TL75UxrmJc3RsVvYMyTwcN3FAFAmlXCoAACgkQvYMyTwcN3FD5bAD/Z3NUEjUebZXa7ysmEyOYWYKj8O6wCIULVriy2+7p",
  "Wk8BAJh83tWG4TF/vVCXsxhho4sKSbjuFwlvk1ORv8YW+yIFoWoA/iI42BAa1VfS4pRgyvmGe7jE8Na/crGB1jHN5dL9UIH8AP9S",
  "Gxg1bxMZjjxWdET8GRZQ8t60CVvgydnz7h7XrByoBQ==",
);
/** The same until 2026-06-01, by a second signature over itself. */
const PROLONGED = key(
  "mDMEaVW5ABYJKwYBBAHaRw8BAQdAPQ9YlosDygLRPZpAWLC7GbV9iA2I0Gj7lfUNg21JQxO0BXNob3J0iJUEExYIAD4CGwMFCwkI",
  "BwIGFQoJCAsCBBYCAwECHgECF4AWIQTvD/puCWm8+0RqovJ3EtAPlGCgIgUCaVcKgAUJAMcSgAAKCRB3EtAPlGCgIuYkAPQNynCi",
  "ie0pT/+FSIFkrjZv4HFcKpsrcE/cAJfLvqiAAQDpdrO6groB3dJ37Sn7AknqfwlQKz9g+r5xA9Kh+ixTAoh1BBAWCAAdFiEE8XzA",
  "0m028EluhZSysBC+CJlxL34FAmlXCoAACgkQsBC+CJlxL37ajQEAmpTTuGKFqjxz/1t/orS3dyffPXUuhGQrPWTbMma1/pQBAP80",
  "f+ODg9D1+9XPT4V1X6iXZUJZx4gJ76PxIPBU3XAIuDMEaVcKgBYJKwYBBAHaRw8BAQdAJTzcoHkUekqX6fthB/04Mu3fXg4/PNCq",
  "grSpt1NX00OI9QQYFggAJhYhBO8P+m4Jabz7RGqi8ncS0A+UYKAiBQJpVwqAAhsCBQkAJ40AAIEJEHcS0A+UYKAidiAEGRYIAB0W",
  "IQT3xMvvlTGuYlzdGxW9gzJPBw3cUAUCaVcKgAAKCRC9gzJPBw3cUPlsAP9nc1QSNR5tldrvKyYTI5hZgqPw7rAIhQtWuLLb7ula",
  "TwEAmHze1YbhMX+9UJezGGGjiwpJuO4XCW+TU5G/xhb7IgWhagD+IjjYEBrVV9LilGDK+YZ7uMTw1r9ysYHWMc3l0v1QgfwA/1Ib",
  "GDVvExmOPFZ0RPwZFlDy3rQJW+DJ2fPuHtesHKgF",
);

it("a keyring ends with the last of its keys", () => {
  expect(keyringExpiry(SHORT)).toBe("2026-03-01T00:00:00Z");
  expect(keyringExpiry(Buffer.concat([LONG, SHORT]))).toBe("2027-03-01T00:00:00Z");
});

it("a keyring with a key that has no end has none", () => {
  expect(keyringExpiry(ENDLESS)).toBeUndefined();
  expect(keyringExpiry(Buffer.concat([SHORT, ENDLESS]))).toBeUndefined();
});

it("the end of a key is that of its newest signature, whatever subkeys and signatures of others say", () => {
  expect(keyringExpiry(WITH_OTHERS)).toBe("2026-03-01T00:00:00Z");
  expect(keyringExpiry(PROLONGED)).toBe("2026-06-01T00:00:00Z");
  // in whatever order they stand
  const [packet, uid] = [PROLONGED.subarray(0, 53), SHORT.subarray(53, 60)];
  const [newer, older] = [PROLONGED.subarray(60, 211), SHORT.subarray(60)];
  expect(keyringExpiry(Buffer.concat([packet, uid, newer, older]))).toBe("2026-06-01T00:00:00Z");
  expect(keyringExpiry(Buffer.concat([packet, uid, older, newer]))).toBe("2026-06-01T00:00:00Z");
});

it.each([
  ["nothing", Buffer.of()],
  ["a key that is cut off", SHORT.subarray(0, 40)],
  ["a signature that is cut off", SHORT.subarray(0, -1)],
  ["a key without signatures", SHORT.subarray(0, 53)],
  ["a key of another version", Buffer.of(0x98, 6, 6, 0, 0, 0, 1, 27)],
  ["a length of parts", Buffer.of(0xc6, 0xe1, 4, 0)],
  ["a length that is cut off", Buffer.of(0xc6, 0xff, 0)],
  ["a signature of one byte", Buffer.concat([SHORT.subarray(0, 53), Buffer.of(0x88, 1, 4)])],
])("%s has no end that is known", (_, keyring) => {
  expect(keyringExpiry(keyring)).toBeUndefined();
});
