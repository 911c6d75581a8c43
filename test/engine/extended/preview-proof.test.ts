/**
 * The proof of previews, of servers that are no cluster: after each of many edits, drawn by chance, what `vnfm preview
 * --json` has said is what differs in Nova, Neutron and Cinder, and nothing else differs. The state is not asked.
 * PROOF_EDITS says how many, VNFM_SEED which; the file of a counterexample is for `npm run proof -- FILE`.
 */
import { describeProof } from "../../proof/describe-proof";
import { differences } from "../../proof/differences";
import { SERVERS } from "../../proof/servers";

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
