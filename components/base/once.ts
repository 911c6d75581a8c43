/**
 * A question that is asked once for each key, also while the answer is still awaited; later ones get the same answer.
 *
 * @param keyOf what tells two questions apart
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
