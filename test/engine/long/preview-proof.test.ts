/** The proof of previews of extended/preview-proof, with twice as many edits. */
import { describeProof } from "../../proof/describe-proof";
import { SERVERS } from "../../proof/servers";

describeProof(SERVERS, 40);
