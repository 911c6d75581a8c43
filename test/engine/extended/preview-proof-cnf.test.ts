/**
 * Proof of previews for a CNF: after each of many random edits of its manifests, the cluster's API, the etcd members
 * and the cloud differ in exactly what `vnfm preview --json` announced. See preview-proof.test.ts.
 */
import { WEB_CNF } from "../../proof/cnf";
import { describeProof } from "../../proof/describe-proof";

describeProof(WEB_CNF);
