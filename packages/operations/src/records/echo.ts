import { type Echo, echoOf, type RequestParameters } from '@tollgate/contract'
import type { Channel } from '../directory/channel.ts'

/**
 * The structures that answers about a payment or registration echo: the sent ones, and the merchant's bank account if
 * the channel has one.
 *
 * @param rendered the structure of the paying account, which is not echoed: the answer contains the masked account
 */
export function echoFor(
  { settings: { bankAccount } }: Channel,
  parameters: RequestParameters,
  rendered?: string,
): Echo {
  return echoOf(parameters, bankAccount && { merchant: { bankAccount } }, rendered)
}
