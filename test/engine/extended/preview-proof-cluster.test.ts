/**
 * Proof of previews for a cluster: after each of many edits (scaling, heals, labels, taints, rules of security groups),
 * the cloud, the cluster's API and the etcd members differ in exactly what `vnfm preview --json` announced. See
 * preview-proof.test.ts.
 */
import { CLUSTER } from "../../proof/cluster";
import { describeProof } from "../../proof/describe-proof";

describeProof(CLUSTER, 10);
