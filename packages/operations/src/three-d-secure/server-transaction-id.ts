/** `threeDSServerTransID`: the id of a session, 32 hexadecimal digits, as a UUID (`8-4-4-4-12`). */
export const serverTransactionIdOf = (id: string): string =>
  `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`

/** The id of the session that belongs to a `threeDSServerTransID`. */
export const sessionIdOf = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase()
