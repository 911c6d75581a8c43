/** Exit statuses of the program. */
export const EXIT = { done: 0, failed: 1, usage: 2, refused: 3, held: 4, differs: 5 } as const;

/** The exit statuses for the help. */
export const EXIT_STATUS = `Exit status: 0 done, 1 failed, 2 wrong usage, 3 rejected and nothing changed, 4 another run has locked
the stack, 5 something differs from the desired state, or changes although no change was expected.
`;
