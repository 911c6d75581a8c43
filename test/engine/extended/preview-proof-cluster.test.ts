/**
 * The proof of previews, of a cluster: after each of many edits, workers more and less, heals, labels, taints and rules of
 * security groups, what `vnfm preview --json` has said is what differs in the cloud, in the API of the cluster and among
 * the members of etcd, and nothing else differs. See preview-proof.test.ts.
 */
import { CLUSTER } from "../../proof/cluster";
import { describeProof } from "../../proof/describe-proof";

describeProof(CLUSTER, 10);
