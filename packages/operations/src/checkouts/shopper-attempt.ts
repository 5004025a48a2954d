import { isDecline } from '@tollgate/domain'
import type { Answer } from '../answer.ts'
import type { Channel } from '../directory/channel.ts'
import { fingerprintText } from '../fingerprint.ts'
import type { Context } from '../context.ts'
import type { Head } from '../request-head.ts'
import type { ShopperAttempt } from '../ports/rate-limits.ts'
import type { Instrument } from '../accounts/instrument.ts'

/** Begins the attempt of a request. @returns 0 if it has begun, else the milliseconds until an attempt is allowed */
export type BeginAttempt = (channel: Channel, instrument: Instrument) => number

/** Executes a shopper's request as one attempt. A declined attempt is counted by card and by address. */
export async function runShopperAttempt(
  { rates, vault }: Context,
  { caller: { shopperAddress } }: Head,
  execute: (begin: BeginAttempt) => Promise<Answer>,
): Promise<Answer> {
  let attempt: ShopperAttempt | undefined
  const begin: BeginAttempt = ({ id, settings }, instrument) => {
    // After a version conflict the request is decided again as the same attempt.
    if (attempt) return 0
    const number = instrument.kind === 'usable' ? instrument.number : undefined
    const [card] = number ? vault.fingerprints(number).map(fingerprintText) : []
    const result = rates.declines.begin({ channel: id, card, address: shopperAddress }, settings.declines)
    if (result.kind === 'refused') return result.waitMs
    attempt = result
    return 0
  }
  try {
    const answer = await execute(begin)
    attempt?.end(isDecline(answer.code))
    return answer
  } finally {
    attempt?.end(false)
  }
}
