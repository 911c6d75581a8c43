import { Fault, SettingsFault, together } from "../../components/fault";

const fails = (...faults: string[]) => Promise.reject<number>(new SettingsFault(faults));

describe("several checks together", () => {
  it("give the results of all", async () => {
    expect(await together([Promise.resolve(1), Promise.resolve("two")])).toEqual([1, "two"]);
  });

  it("have the faults of all in one error, each once", async () => {
    const checks = together([fails("a", "b"), Promise.resolve(1), fails("b", "c")]);
    await expect(checks).rejects.toEqual(new SettingsFault(["a", "b", "c"]));
  });

  it("have another error only where the stack config has no fault", async () => {
    const quota = Promise.reject<number>(new Fault("the quota does not suffice"));
    await expect(together([quota, fails("a")])).rejects.toEqual(new SettingsFault(["a"]));
    const other = Promise.reject<number>(new Fault("the quota does not suffice"));
    await expect(together([Promise.resolve(1), other])).rejects.toEqual(
      new Fault("the quota does not suffice"),
    );
  });
});
