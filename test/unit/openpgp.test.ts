import { publicKeys } from "../../components/base/keys/openpgp";
import { ARMORED_KEY } from "./fixtures";

const binary = publicKeys(ARMORED_KEY)?.toString("base64") ?? "";

describe("publicKeys", () => {
  it("reads armored text, and base64 of the binary form, broken into lines or not", () => {
    expect(binary).toMatch(/^mDME/);
    expect(publicKeys(binary)?.toString("base64")).toBe(binary);
    expect(publicKeys(binary.replaceAll(/.{64}/g, "$&\n"))?.toString("base64")).toBe(binary);
  });

  it("takes armor headers, line ends of Windows, and several keys", () => {
    const headers = ARMORED_KEY.replace("BLOCK-----\n", "BLOCK-----\nVersion: GnuPG v2.0.15 (GNU/Linux)\n");
    const twice = publicKeys(`${headers.replaceAll("\n", "\r\n")}\n${ARMORED_KEY}`);
    expect(twice?.equals(Buffer.concat([0, 1].map(() => Buffer.from(binary, "base64"))))).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["no base64", "the key"],
    ["base64 of something else", Buffer.from("hello").toString("base64")],
    ["a file's name", "/etc/apt/keyrings/kubernetes.gpg"],
    ["a private key", ARMORED_KEY.replaceAll("PUBLIC", "PRIVATE")],
    ["a private key in base64", Buffer.from([0x94, 0x58, 4]).toString("base64")],
    ["shell behind the key", `${ARMORED_KEY}; reboot`],
  ])("refuses %s", (_, text) => {
    expect(publicKeys(text)).toBeUndefined();
  });
});
