/** A value that statements bind and return. A number is a safe integer. An array is bound to PostgreSQL as bytes. */
export type SqlValue = string | number | null | Uint8Array
