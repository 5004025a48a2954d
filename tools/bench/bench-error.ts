/** A failure that prevents a measurement, in one line. */
export class BenchError extends Error {}
