import { createCipheriv } from 'node:crypto'
import { encodeIccData, type IccElement } from '@tollgate/iso8583'

/**
 * The key of all chip cards at the simulated issuer. A real card has keys of its own, from which those of a payment are
 * derived; with a published key a developer of terminals can verify the issuer's cryptogram.
 */
export const testCardKey = '0123456789ABCDEFFEDCBA9876543210'

const BLOCK_BYTES = 8

/** Triple DES with two keys, one block. */
function encrypt(block: Uint8Array): Uint8Array {
  const cipher = createCipheriv('des-ede-ecb', Buffer.from(testCardKey, 'hex'), null)
  cipher.setAutoPadding(false)
  return cipher.update(block)
}

/**
 * The issuer's cryptogram (ARPC) by method 1 of EMV Book 2, 8.2.1: the cryptogram of the card (ARQC) XOR the response
 * code.
 */
function responseCryptogram(requestCryptogram: Uint8Array, code: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES)
  block.set(requestCryptogram.subarray(0, BLOCK_BYTES))
  for (const [index, byte] of code.entries()) block[index] = (block[index] ?? 0) ^ byte
  return encrypt(block)
}

/** The responses after which the issuer blocks the payment application of the card: lost and stolen cards. */
const blockingResponses: ReadonlySet<string> = new Set(['41', '43'])

/** APPLICATION BLOCK (EMV Book 3, 6.5.1): class, instruction, two parameters, and the length of the code after them. */
const APPLICATION_BLOCK = Uint8Array.of(0x84, 0x1e, 0, 0, BLOCK_BYTES)

/** Template 72: a script for the card after its last cryptogram, with an identifier (9F18) and one command (86). */
function blockingScript(): Uint8Array {
  const padded = new Uint8Array(BLOCK_BYTES)
  padded.set([...APPLICATION_BLOCK, 0x80])
  return encodeIccData([
    { tag: '9F18', value: Uint8Array.of(0, 0, 0, 1) },
    { tag: '86', value: Buffer.concat([APPLICATION_BLOCK, encrypt(padded)]) },
  ])
}

/**
 * Field 55 of the issuer's answer in hexadecimal digits: the issuer's authentication data (91), the response code (8A),
 * and for a lost or stolen card a script (72).
 *
 * @param code the response code, 00 for every approval
 * @param cryptogram tag 9F26 of the request in hexadecimal digits; empty if the request has none
 */
export function issuerDataOf(code: string, cryptogram: string): string {
  const characters = Uint8Array.from(Buffer.from(code))
  const elements: IccElement[] = [
    { tag: '91', value: Buffer.concat([responseCryptogram(Buffer.from(cryptogram, 'hex'), characters), characters]) },
    { tag: '8A', value: characters },
  ]
  if (blockingResponses.has(code)) elements.push({ tag: '72', value: blockingScript() })
  return Buffer.from(encodeIccData(elements)).toString('hex').toUpperCase()
}
