import { ascii1987, binary1987, decodeMessage, FieldError, type Message } from '@tollgate/iso8583'
import { copyOf } from './secret-bytes.ts'

/** The specifications of the host: both dialects of the 1987 edition. */
export const hostSpecs = { ascii1987, binary1987 } as const

export type HostSpecName = keyof typeof hostSpecs

export type HostSpec = (typeof hostSpecs)[HostSpecName]

/** A message of the 1987 edition. */
export type HostMessage = Message<HostSpec['fields']>

/** A decoded message; or the part before the fault, if it has the type and the trace number. */
export type DecodedMessage =
  | { readonly message: HostMessage }
  | { readonly fault: string; readonly beforeFault: HostMessage | undefined }

/** Decodes a message. It never throws a FieldError. */
export function decodeHostMessage(spec: HostSpec, bytes: Uint8Array): DecodedMessage {
  try {
    return { message: decodeMessage(spec, bytes) }
  } catch (error) {
    if (!(error instanceof FieldError)) throw error
    return { fault: error.message, beforeFault: decodeBeforeFault(spec, bytes, error) }
  }
}

const TYPE_DIGITS = 4
const BITMAP_BYTES = 8
const STAN = 11

/** Decodes the fields before a fault: the message ends at the fault, and its bitmap has no later fields. */
function decodeBeforeFault(spec: HostSpec, bytes: Uint8Array, fault: FieldError): HostMessage | undefined {
  const { field: faulty = Number.POSITIVE_INFINITY, offset } = fault
  if (offset === undefined || faulty <= STAN) return undefined
  const { digits, bitmap } = spec.dialect
  const start = digits.sizeOf(TYPE_DIGITS)
  const part = copyOf(bytes.subarray(0, offset))
  try {
    const first = new Uint8Array(BITMAP_BYTES)
    bitmap.read(part, start, first)
    const hasSecond = ((first[0] ?? 0) & 0x80) !== 0
    const bits = new Uint8Array(hasSecond ? 2 * BITMAP_BYTES : BITMAP_BYTES)
    bitmap.read(part, start, bits)
    bitmap.write(part, start, bitsBefore(bits, faulty))
    const message = decodeMessage(spec, part)
    return message.fields[STAN] === undefined ? undefined : message
  } catch (error) {
    if (error instanceof FieldError) return undefined
    throw error
  } finally {
    part.fill(0)
  }
}

/** The bitmap without the fields from a number on. */
const bitsBefore = (bits: Uint8Array, field: number): Uint8Array =>
  bits.map((byte, index) => {
    const kept = Math.max(0, Math.min(8, field - 1 - 8 * index))
    return byte & ~(0xff >> kept)
  })
