import { existsSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./command";

/** Folder of VNF packages that others wrote, next to the repository. */
export const CORPUS = join(REPOSITORY, "../shared/corpus");

/** Jest's `describe`, skipped if the corpus does not exist. */
export const describeWithCorpus = existsSync(CORPUS) ? describe : describe.skip;
if (!existsSync(CORPUS)) console.warn(`skipped: tests on VNF packages of others, there is no ${CORPUS}`);
