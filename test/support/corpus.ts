import { existsSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./command";

/** VNF packages that others wrote, beside the project. */
export const CORPUS = join(REPOSITORY, "../shared/corpus");

/** `describe`, skipped with a message where the corpus is absent. */
export const describeWithCorpus = existsSync(CORPUS) ? describe : describe.skip;
if (!existsSync(CORPUS)) console.warn(`skipped: tests on VNF packages of others, there is no ${CORPUS}`);
