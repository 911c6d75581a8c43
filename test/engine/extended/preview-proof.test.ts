/**
 * The proof of previews, of servers that are no cluster: after each of many edits, drawn by chance, what `vnfm preview
 * --json` has said is what differs in Nova, Neutron and Cinder, and nothing else differs. The state is not asked.
 * PROOF_EDITS says how many, VNFM_SEED which; the file of a counterexample is for `npm run proof -- FILE`.
 */
import { describeProof } from "../../proof/describe-proof";
import { differences } from "../../proof/differences";
import { previewOf } from "../../proof/run";
import { SERVERS, type Config } from "../../proof/servers";
import { isPending, recover, upKilledWhen } from "../../support/cut-off";

const proof = describeProof(SERVERS);

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

it("a volume that Cinder has extended when its run is killed is read again, and not extended twice", async () => {
  const { stack } = proof();
  const sizes = async (): Promise<number[]> => {
    const listed = await stack.cloud.get<{ volumes: { size: number }[] }>("block-storage", "/volumes/detail");
    return listed.volumes.map(({ size }) => size);
  };
  const config = (sizeGiB: number): Config => ({ one: { ...SERVERS.base["one"]!, level: 0, sizeGiB } });
  const configure = (sizeGiB: number) => stack.configure(SERVERS.write(stack.folder, config(sizeGiB)));
  configure(4);
  await stack.mustUp();
  configure(5);
  await upKilledWhen(
    stack,
    async () => (await sizes())[0] === 5 && isPending(stack, "updating", "one-app-1-data"),
  );
  expect(await recover(stack)).toContain(
    "one-app-1-data: updating was cut off; the next update reads it, and does what is left",
  );
  expect((await previewOf(stack)).changes).toEqual([]);
  await stack.mustUp();
  expect(await sizes()).toEqual([5]);
});
