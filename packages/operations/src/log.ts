/** The fields of a line; for an error, the result of `errorFields`. The type excludes objects, such as headers. */
export type LogFields = Readonly<Record<string, string | number>>

/**
 * Writes JSON lines. A line describes an event (request id, entity, operation, result code, duration) and never
 * contains a body, a header, a query string or the value of a parameter.
 */
export interface Log {
  readonly info: (fields: LogFields) => void
  readonly warn: (fields: LogFields) => void
  readonly error: (fields: LogFields) => void
  /** Writes the buffered lines. */
  readonly flush: () => void
}
