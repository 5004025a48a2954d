/**
 * Durable state behind one port: units of work in, rows out. Dialects (SQLite, memory) are folders with mirrored file
 * names and share one suite of tests. Knows no rule of payments.
 */
export type * from './port.ts'
export type * from './schema.ts'
