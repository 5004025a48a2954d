/**
 * An expected failure of the benchmark, such as an unknown option or a failed request. Its message is printed without a
 * stack trace.
 */
export class BenchError extends Error {}
