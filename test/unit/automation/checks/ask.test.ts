import { ask } from "../../../../automation/checks/ask";
import { RESULT_MARK } from "../../../../components/remote/shell";

const script = { urn: "urn", vnf: "vnf-a", step: "hosts", isRepeatable: true };

it("an answer is what the script says, and not what a login shell prints before it", async () => {
  const stdin = `echo in .bashrc; echo '${RESULT_MARK}'; echo "$1: a difference"`;
  expect(await ask({ ...script, stdin }, "check")).toEqual({
    status: 0,
    stdout: "check: a difference",
    stderr: "",
  });
});
