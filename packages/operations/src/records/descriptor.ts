import type { RequestParameters } from '@tollgate/contract'
import type { Channel } from '../directory/channel.ts'
import { shortIdOf } from '../ids.ts'

/**
 * What the shopper's statement shows: what the merchant sent, otherwise the short id and the channel's name. With a
 * name of 100 characters (the management API) that makes 115 of the 127 which the contract allows.
 *
 * @param id the transaction's id
 */
export function descriptorOf(parameters: RequestParameters, id: string, channel: Channel): string {
  return sentDescriptor(parameters) ?? `${shortIdOf(id)} ${channel.name}`
}

/** "descriptor: part of the statement descriptor; merchant.name can override it." */
export const sentDescriptor = ({ values }: RequestParameters): string | undefined =>
  values.get('merchant.name') ?? values.get('descriptor')
