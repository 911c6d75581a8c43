/** The proof of previews of extended/preview-proof-cluster, with more edits. */
import { CLUSTER } from "../../proof/cluster";
import { describeProof } from "../../proof/describe-proof";

describeProof(CLUSTER, 25);
