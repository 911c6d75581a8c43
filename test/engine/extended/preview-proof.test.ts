/**
 * Proof of previews for servers without a cluster: after each of many random edits, Nova, Neutron and Cinder differ in
 * exactly what `vnfm preview --json` announced. The state is not read. PROOF_EDITS is the number of edits, VNFM_SEED
 * chooses them, and `npm run proof -- FILE` examines a counterexample.
 */
import { describeProof } from "../../proof/describe-proof";
import { differences } from "../../proof/differences";
import { previewOf } from "../../proof/run";
import { SERVERS, type Config } from "../../proof/servers";
import { OpenStack } from "../../support/openstack";
import { isPending, recover, upKilledWhen } from "../../support/cut-off";

const proof = describeProof(SERVERS);

/** Writes a stack config with one server and a volume of this size. */
function configure(sizeGiB: number): void {
  const { stack } = proof();
  const config: Config = { one: { ...SERVERS.base["one"]!, level: 0, sizeGiB } };
  stack.configure(SERVERS.write(stack.folder, config));
}

async function volumes(): Promise<readonly { readonly id: string; readonly size: number }[]> {
  const { cloud } = proof().stack;
  const listed = await cloud.get<{ volumes: { id: string; size: number }[] }>(
    "block-storage",
    "/volumes/detail",
  );
  return listed.volumes;
}

it("a port that somebody else changes meanwhile is a difference", async () => {
  const { stack, model } = proof();
  const [port] = [...model].filter(
    ([, { subject }]) => subject.kind === "port" && subject.vnfc !== undefined,
  );
  if (port === undefined) throw new Error("there is no port");
  const [subject, { identity }] = port;
  const set = (up: boolean) =>
    stack.cloud.put("network", `/v2.0/ports/${identity}`, { port: { admin_state_up: up } });
  await set(false);
  const found = differences({ changes: [] }, model, await SERVERS.observe(stack));
  await set(true);
  expect(found).toEqual([{ kind: "unannounced", subject, announced: [], effect: "changed", fields: ["up"] }]);
});

it("an extension that Cinder refuses is announced again, and made once Cinder takes it", async () => {
  const { stack } = proof();
  const admin = await OpenStack.connect("lab-admin");
  configure(40);
  await stack.mustUp();
  const [volume] = await volumes();
  const become = (status: string) => admin.setVolumeStatus(volume?.id ?? "", status);
  await become("maintenance");
  configure(41);
  const { status, stdout, stderr } = await stack.up();
  expect([status === 0, stdout + stderr]).toEqual([false, expect.stringContaining("Error extending")]);
  await become("in-use");
  const { changes } = await previewOf(stack);
  expect(changes.map(({ parts }) => parts.map(({ action, differs }) => [action, differs]))).toEqual([
    [["update", ["size"]]],
  ]);
  await stack.mustUp();
  expect((await volumes()).map(({ size }) => size)).toEqual([41]);
});

it("a volume that Cinder has extended when its run is killed is read again, and not extended twice", async () => {
  const { stack } = proof();
  configure(42);
  await upKilledWhen(
    stack,
    async () => (await volumes())[0]?.size === 42 && isPending(stack, "updating", "one-app-1-data"),
  );
  expect(await recover(stack)).toContain(
    "one-app-1-data: updating was interrupted; the next update refreshes it, and completes it",
  );
  expect((await previewOf(stack)).changes).toEqual([]);
  await stack.mustUp();
  expect((await volumes()).map(({ size }) => size)).toEqual([42]);
});
