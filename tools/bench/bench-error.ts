/** Something broke, so that there is nothing to measure: one line that says what. */
export class BenchError extends Error {}
