/** Words that the pages do not use, each with the word to write, as docs/glossary.md has it; regular expressions. */
const WORDS = [
  ["anew", "again"],
  ["alone", "only"],
  ["besides", "in addition"],
  ["beside", "next to"],
  ["shall", "must"],
  ["tells? (?:of|that|which|what|so|it)", "reports"],
  ["(?:is|are|was|were) told", "is reported"],
  ["knows? no", "does not support"],
  ["that (?:is|are) there", "existing"],
  ["ways? out", "what to do"],
  ["what is (?:made|there|against)", "the noun of the thing"],
  ["faults?", "error"],
  ["(?:is|are|was|were) asked", "is queried"],
  ["(?:has|have|had) to", "must"],
  ["for good", "fixed after creation"],
  ["(?:is|are) held by", "is locked by"],
  ["(?:takes?|taken|took) (?:away|out)", "deletes, removes"],
];

module.exports = {
  rules: {
    terminology: { defaultTerms: false, terms: WORDS },
    "sentence-length": { max: 220, skipUrlStringLink: true },
  },
};
