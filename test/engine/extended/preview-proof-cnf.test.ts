/**
 * The proof of previews, of a CNF: after each of many edits of its manifests, drawn by chance, what `vnfm preview --json`
 * has said is what differs in the API of its cluster, and nothing else differs there, in etcd's members and in the cloud.
 * See preview-proof.test.ts.
 */
import { WEB_CNF } from "../../proof/cnf";
import { describeProof } from "../../proof/describe-proof";

describeProof(WEB_CNF);
