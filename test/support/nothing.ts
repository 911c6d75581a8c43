/** Replaces modules that no unit test needs: see jest.config.js. */
export {};
