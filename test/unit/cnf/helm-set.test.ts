/** What Helm's strvals.Parse makes of a `--set`: the cases of its own tests (v3.18), and more. */
import { setValues } from "../../../components/plan/workload/helm-set";
import { Secret } from "../../../components/base/secret";

const nested = (levels: number) => `${Array.from({ length: levels }, (_, i) => `n${i}`).join(".")}=1`;

test.each<[string, object]>([
  ["name1=null,f=false,t=true", { name1: null, f: false, t: true }],
  ["name1=value1,name2=value2", { name1: "value1", name2: "value2" }],
  ["name1=value1,name2=value2,", { name1: "value1", name2: "value2" }],
  ["name1=,name2=value2", { name1: "", name2: "value2" }],
  ["name=", { name: "" }],
  ["leading_zeros=00009", { leading_zeros: "00009" }],
  ["zero_int=0", { zero_int: 0 }],
  ["long_int=1234567890", { long_int: 1234567890 }],
  ["name1=one\\,two,name2=three\\,four", { name1: "one,two", name2: "three,four" }],
  ["name1=one\\=two,name2=three\\=four", { name1: "one=two", name2: "three=four" }],
  ["name1=one two three,name2=three two one", { name1: "one two three", name2: "three two one" }],
  ["outer.middle.inner=value", { outer: { middle: { inner: "value" } } }],
  ["outer.inner1=value,outer.middle.inner=value", { outer: { inner1: "value", middle: { inner: "value" } } }],
  ["name1.name2=", { name1: { name2: "" } }],
  ["name1={value1,value2}", { name1: ["value1", "value2"] }],
  ["name1={value1,value2},name2={1021,902}", { name1: ["value1", "value2"], name2: [1021, 902] }],
  ["name1.name2={value1,value2}", { name1: { name2: ["value1", "value2"] } }],
  ["name={}", { name: [""] }],
  ["name={a}other=b", { name: ["a"], other: "b" }],
  ["name={a\\,b,TRUE}", { name: ["a,b", true] }],
  ["list[0]=foo", { list: ["foo"] }],
  ["list[0].foo=bar,list[0].hello=world", { list: [{ foo: "bar", hello: "world" }] }],
  ["list[0]=foo,list[1]=bar,", { list: ["foo", "bar"] }],
  ["list[0]=foo,list[3]=bar", { list: ["foo", null, null, "bar"] }],
  ["list[1]={a,b}", { list: [null, ["a", "b"]] }],
  ["noval[0]", { noval: [] }],
  ["noval[0]=", { noval: [""] }],
  ["noval[0].a=", { noval: [] }],
  ["nested[1][1]=1", { nested: [null, [null, 1]] }],
  ["a.b[1].foo=bar,a.b[0].foo=bar", { a: { b: [{ foo: "bar" }, { foo: "bar" }] } }],
  ["a.b[1].foo=bar", { a: { b: [null, { foo: "bar" }] } }],
  ["list[0]=text,list[0].a=b", { list: [{ a: "b" }] }],
  ["enabled=False", { enabled: false }],
  ["a=TRUE,b=Null", { a: true, b: null }],
  ["greeting=hello\\, world", { greeting: "hello, world" }],
  ["a=1,b=2", { a: 1, b: 2 }],
  ["a\\.b\\[0\\]=x", { "a.b[0]": "x" }],
  ["url=http://x?a=b&c", { url: "http://x?a=b&c" }],
  ["a=+5,b=-5,c=-05,d=-0", { a: 5, b: -5, c: -5, d: 0 }],
  ["a=1.5,b=1e3,c=0x1f,d=1_000, e= 1", { a: "1.5", b: "1e3", c: "0x1f", d: "1_000", " e": " 1" }],
  ["a=9223372036854775808", { a: "9223372036854775808" }],
  ["a=b\\", { a: "b" }],
  ["=a", {}],
  ["a.", {}],
  ["", {}],
  ["a=falſe,b={x}", { a: false, b: ["x"] }],
  [
    nested(31),
    JSON.parse(`${Array.from({ length: 31 }, (_, i) => `{"n${i}":`).join("")}1${"}".repeat(31)}`) as object,
  ],
])("%s", (text, expected) => {
  expect(setValues({}, text)).toEqual(expected);
});

test.each([
  ["name1=value1,,,,name2=value2,", 'key "" has no value; a comma in a value is written "\\,"'],
  ["name1,name2=value2", 'key "name1" has no value; a comma in a value is written "\\,"'],
  ["name1=a,name2", 'key "name2" has no value; a comma in a value is written "\\,"'],
  ["name1.name2,name1.name3", 'key "name2" has no value; a comma in a value is written "\\,"'],
  ["name1.=name2", 'key map "name1" has no value'],
  ["name1.,name2", 'key "" has no value; a comma in a value is written "\\,"'],
  ["name1={1021,902", "list must terminate with '}'"],
  [
    "list[0].foo=bar,list[-30].hello=world",
    '"-30" is not an index of a list, which is a number from 0 on, in brackets',
  ],
  ["list[a]=b", '"a" is not an index of a list, which is a number from 0 on, in brackets'],
  ["list[0", '"0" is not an index of a list, which is a number from 0 on, in brackets'],
  ["list[65537]=b", "index 65537 of a list is over 65536"],
  ["illegal[0]name.foo=bar", 'unexpected data at end of array index: "name"'],
  ["]={}].", '"]" is not a map'],
  ["a=1,a.b=2", '"a" is not a map'],
  ["a=null,a.b=2", '"a" is not a map'],
  ["a=1,a[0]=2", '"a" is not a list'],
  ["a=null,a[0]=2", '"a" is not a list'],
  ["a[0]=1,a[0][0]=2", "item 0 of a list is not a list"],
  [nested(32), "a key has more than 30 levels"],
  [
    "id=9007199254740993",
    "9007199254740993 is rounded when it is passed to the chart, because it exceeds 2^53; write it under values as a string",
  ],
])("%s is a fault", (text, fault) => {
  expect(setValues({}, text)).toBe(fault);
});

test("setValues changes a copy of the values, and no prototype", () => {
  const values = { a: { b: [1, 2], c: "text" } };
  expect(setValues(values, "a.b[1]=3,a.d=4")).toEqual({ a: { b: [1, 3], c: "text", d: 4 } });
  expect(values).toEqual({ a: { b: [1, 2], c: "text" } });
  const made = setValues({}, "__proto__.polluted=1,constructor.name=2");
  expect(JSON.stringify(made)).toBe('{"__proto__":{"polluted":1},"constructor":{"name":2}}');
  expect({}).not.toHaveProperty("polluted");
});

test("secrets among the values stay, no key is in one, and what was given is left as it is", () => {
  const [password, token] = [new Secret("p"), new Secret("t")];
  const values = { auth: { password }, list: [{ token }] };
  const changed = setValues(values, "auth.user=u,list[0].name=n") as typeof values;
  expect(changed).toEqual({ auth: { password, user: "u" }, list: [{ token, name: "n" }] });
  expect(changed.auth.password).toBe(password);
  expect(changed.list[0]?.token).toBe(token);
  expect(values).toEqual({ auth: { password }, list: [{ token }] });
  expect(setValues(values, "auth.password.a=1")).toBe('"password" is not a map');
});
