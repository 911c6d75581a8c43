/** The JSON document of an operation that a pipeline reads. */
import { runOperation } from "../../../../automation/command-line/operation";
import { Fault } from "../../../../automation/fault";
import { MendFault } from "../../../../automation/operations/mend";
import { ApplyFault } from "../../../../automation/operations/operation";
import { VnfmStack } from "../../../../automation/vnfm-stack";
import { settingsFault } from "../../places";

const FAULT = settingsFault("vnfm:vnfs.web.vim: is required", "VNF package p is not valid");
const FINDINGS = [
  { place: ["vnfm:vnfs", "web", "vim"], message: "is required" },
  { place: [], message: "VNF package p is not valid" },
];
const PREVIEW = { changes: [], stays: {}, unrequested: [], warnings: [] };

/** The document of an operation that fails. */
async function documentOf(fault: Fault): Promise<Record<string, unknown>> {
  jest.spyOn(VnfmStack, "open").mockResolvedValue({} as VnfmStack);
  const written: string[] = [];
  const write = jest
    .spyOn(process.stdout, "write")
    .mockImplementation((text) => written.push(String(text)) > 0);
  const run = runOperation("scale", { json: true, yes: true, vnf: "web", wait: 0 }, () =>
    Promise.reject(fault),
  );
  await expect(run).rejects.toBe(fault);
  write.mockRestore();
  return JSON.parse(written.join("")) as Record<string, unknown>;
}

it("the document has what is wrong in the stack config as data beside the message", async () => {
  expect(await documentOf(FAULT)).toEqual({
    ...{ command: "scale", vnf: "web", result: "failed", changes: [] },
    ...{ message: FAULT.message, findings: FINDINGS },
  });
});

it("the document has it too where the apply has found it", async () => {
  expect(await documentOf(new ApplyFault(FAULT, PREVIEW))).toMatchObject({
    ...{ result: "failed", findings: FINDINGS },
  });
});

it("the document has the message alone of another fault", async () => {
  expect(await documentOf(new Fault("no valid host was found"))).toEqual({
    ...{ command: "scale", vnf: "web", result: "failed", changes: [], message: "no valid host was found" },
  });
});

it("the document has the changes of a mend whose script has failed", async () => {
  const subject = { vnf: "vnf-a", vnfc: "workerNode-1", kind: "command", key: "prepare" } as const;
  const change = { action: "update", subject, text: "workerNode-1: is prepared again", parts: [] } as const;
  const fault = new MendFault(["the disk is full"], { ...PREVIEW, changes: [change] });
  expect(await documentOf(fault)).toMatchObject({
    ...{ result: "failed", message: "the disk is full", changes: [{ ...change, requested: true }] },
  });
});
