/**
 * Remembers the answers of a function. Questions with the same key share one call, also while its promise is pending.
 * @param keyOf the key of a question. @default the question itself
 */
export function once<Q, A>(
  ask: (question: Q) => A,
  keyOf: (question: Q) => unknown = (it) => it,
): (question: Q) => A {
  const answers = new Map<unknown, { readonly answer: A }>();
  return (question) => {
    const key = keyOf(question);
    const known = answers.get(key) ?? { answer: ask(question) };
    answers.set(key, known);
    return known.answer;
  };
}
