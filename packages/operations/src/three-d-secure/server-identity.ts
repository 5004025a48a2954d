/** The 3DS server's reference number. EMVCo assigns one to each approved server; this is a test number. */
export const SERVER_REFERENCE = '3DS_LOA_SER_TLGT_020200_00000'

/** 32 hexadecimal digits as a UUID, `8-4-4-4-12`: the id of a session is that of its 3-D Secure transaction. */
export const uuidOf = (id: string): string =>
  `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`

/** The id of a session: the 32 hexadecimal digits of the UUID of its 3-D Secure transaction. */
export const idOf = (uuid: string): string => uuid.replaceAll('-', '').toLowerCase()
