import { readTextFile } from "../../../components/plan/kubeadm/text-file";
import { placeOf } from "../places";

test.each<[string, string | undefined, string | undefined, string[]]>([
  ["of any language", "é", "é", []],
  ["that is not there", undefined, undefined, ["s: f is neither in the package nor next to Pulumi.yaml"]],
  ["with a null byte", "a\0", undefined, ["s: f is not a text file"]],
  ["of another encoding", Buffer.from("é", "latin1").toString(), undefined, ["s: f is not a text file"]],
])("a file %s", (_what, content, text, expected) => {
  const place = placeOf("s");
  expect(readTextFile("f", place, { readText: () => content })).toBe(text);
  expect(place.findings.texts).toEqual(expected);
});
