import { findingOf, Findings, textOf } from "../../components/base/findings";
import { SettingsFault } from "../../components/base/settings-fault";
import { placeOf } from "./places";

describe("a place", () => {
  const place = placeOf("vnfm:vnfs");

  it("is told by keys and numbers of items, and no key looks like something else", () => {
    const entry = place.get("web", "extVirtualLinks");
    expect(entry.get("cp-1", "fixedAddresses", 0).text).toBe(
      "vnfm:vnfs.web.extVirtualLinks.cp-1.fixedAddresses[0]",
    );
    expect(entry.get("a.b").text).toBe('vnfm:vnfs.web.extVirtualLinks["a.b"]');
    expect(entry.get("0]: is right\n").text).toBe('vnfm:vnfs.web.extVirtualLinks["0]: is right\\n"]');
    expect(entry.get("").text).toBe('vnfm:vnfs.web.extVirtualLinks[""]');
  });

  it("shows of a long key the beginning", () => {
    expect(place.get("k".repeat(64)).text).toBe(`vnfm:vnfs.${"k".repeat(64)}`);
    expect(place.get("k".repeat(65)).text).toBe(`vnfm:vnfs["${"k".repeat(57)}..."]`);
  });

  it("is told from one above it without what both have", () => {
    const web = place.get("web");
    expect(web.get("pools", 2).textFrom(web)).toBe("pools[2]");
    expect(web.get("a key").textFrom(web)).toBe('["a key"]');
  });

  it("records what is wrong with it where its root does", () => {
    const root = placeOf("vnfm:vnfs");
    root.get("web", "vim").fault("is required");
    expect(root.findings.all).toEqual([{ place: ["vnfm:vnfs", "web", "vim"], message: "is required" }]);
    expect(root.findings.texts).toEqual(["vnfm:vnfs.web.vim: is required"]);
  });
});

describe("what is wrong", () => {
  it("is told in its order, each once", () => {
    const found = new Findings({ place: ["b"], message: "x" }, { place: ["a"], message: "x" });
    found.at("b").fault("x");
    found.at("b").fault("y");
    expect(found.texts).toEqual(["b: x", "a: x", "b: y"]);
  });

  it("concerns an instance by its name, whatever other names begin with", () => {
    const found = new Findings();
    found.at().fault("vnfm:vnfs.web is meant in a message");
    found.at("vnfm:vnfs").fault("is empty");
    found.instance("web-2").get("vim").fault("is required");
    found.at("plan", "web").fault("violates the policy");
    expect(found.concern("web")).toBe(false);
    expect(found.concern("web-2")).toBe(true);
    found.instance("web").fault("is a list");
    expect(found.concern("web")).toBe(true);
  });

  it("is its message alone where it is at no setting", () => {
    expect(textOf({ place: [], message: "VNF package p is not valid" })).toBe("VNF package p is not valid");
  });
});

describe("a text", () => {
  it.each([
    { place: ["vnfm:vnfs"], message: "must be object" },
    { place: ["vnfm:vnfs", "web", "list", 12, "key"], message: "is wrong: see\n    an example" },
    { place: ["vnfm:vnfs", "web", 'a "key": \\ of\u202e any\n text', 0], message: "x" },
    { place: ["plan", "web", "servers"], message: "500 violates the policy" },
    { place: ["vnfm:policy"], message: "there is no file" },
    { place: [], message: "VNF package p is not valid:\n  vnfd.yaml: CP1: is missing" },
    { place: [], message: "no place" },
  ])("is read as the finding that it is of: %j", (finding) => {
    expect(findingOf(textOf(finding))).toEqual(finding);
  });
});

it("a fault of the stack config has all that is wrong as data, and as texts", () => {
  const place = placeOf("vnfm:vnfs", "web");
  place.get("vim").fault("is required");
  const fault = new SettingsFault(place.findings.all);
  expect(fault.findings).toEqual([{ place: ["vnfm:vnfs", "web", "vim"], message: "is required" }]);
  expect(fault.faults).toEqual(["vnfm:vnfs.web.vim: is required"]);
  expect(fault.message).toBe("the stack config is not valid:\n  vnfm:vnfs.web.vim: is required");
});
