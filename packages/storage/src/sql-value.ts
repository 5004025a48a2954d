/** A value that statements bind and return. Integers are safe integers; PostgreSQL's driver binds a Buffer as bytes. */
export type SqlValue = string | number | null | Uint8Array
