/** The fields of a line. Flat and plain: no body and no header fits in; of an error those of `errorFields` alone. */
export type LogFields = Readonly<Record<string, string | number>>

/**
 * Lines of JSON. A line names an event (request id, entity, operation, result code, duration) and never carries a body,
 * a header, a query string or a parameter's value: a field that does not exist cannot leak.
 */
export interface Log {
  readonly info: (fields: LogFields) => void
  readonly warn: (fields: LogFields) => void
  readonly error: (fields: LogFields) => void
  /** Writes the lines gathered so far. */
  readonly flush: () => void
}
