import type { Secret } from '@tollgate/contract'
import { decodeIccData, FieldError, type IccElement } from '@tollgate/iso8583'
import type { OfflineApproval } from '../port.ts'
import { hexBytesOf } from './requests/secret-bytes.ts'

/** Bits 8 and 7 of tag 9F27: the kind of the chip's cryptogram (EMV Book 3, 6.5.5.4). */
const CRYPTOGRAM_BITS = 0xc0
/** TC: the card has approved the payment. */
const TRANSACTION_CERTIFICATE = 0x40

/** Tag 8A of a payment that was approved offline (EMV Book 4, Annex A6). */
const APPROVED_OFFLINE = 'Y1'

/**
 * The approval of a sale by card and terminal, without the issuer: the chip has computed a transaction certificate.
 *
 * @param data pos.iccDataRequest
 * @returns undefined without a certificate, also if the data cannot be decoded
 */
export function offlineApprovalIn(data: Secret): OfflineApproval | undefined {
  const bytes = hexBytesOf(data)
  if (bytes === undefined) return undefined
  try {
    return approvalIn(decodeIccData(bytes))
  } catch (error) {
    if (error instanceof FieldError) return undefined
    throw error
  } finally {
    bytes.fill(0)
  }
}

function approvalIn(elements: readonly IccElement[]): OfflineApproval | undefined {
  const valueOf = (tag: string): Uint8Array | undefined => elements.find((element) => element.tag === tag)?.value
  const textOf = (tag: string, form: RegExp): string | undefined =>
    form.exec(Buffer.from(valueOf(tag) ?? []).toString('latin1'))?.[0]
  const digitsOf = (tag: string, form: RegExp): string | undefined =>
    form.exec(Buffer.from(valueOf(tag) ?? []).toString('hex'))?.[0]

  const [cryptogram = 0] = valueOf('9F27') ?? []
  if ((cryptogram & CRYPTOGRAM_BITS) !== TRANSACTION_CERTIFICATE) return undefined
  const responseCode = textOf('8A', /^[0-9A-Z]{2}$/) ?? APPROVED_OFFLINE
  return {
    responseCode,
    approvalCode: textOf('89', /^[0-9A-Z]{6}$/) ?? responseCode,
    date: digitsOf('9A', /^\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/),
    time: digitsOf('9F21', /^(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/),
  }
}
