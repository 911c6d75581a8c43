/**
 * Caches the results of a function. Calls with the same key share one result, also while its promise is pending.
 * @param keyOf returns the key of an argument. @default the argument itself
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
