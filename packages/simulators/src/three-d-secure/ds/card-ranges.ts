import { createHash } from 'node:crypto'
import { type ThreeDSecureCard, threeDSecureCards, threeDSecureFaultCards } from '@tollgate/connectors'
import type { MessageOf } from '@tollgate/three-d-secure'

export type CardRange = NonNullable<MessageOf<'PRes'>['cardRangeData']>[number]

/** One range for each enrolled card, because neighbouring test numbers differ in behaviour. */
export function cardRanges(url: string): { readonly serialNum: string; readonly cardRangeData: readonly CardRange[] } {
  const oldVersionNumbers = new Set(
    threeDSecureFaultCards.filter(({ fault }) => fault === 'oldVersion').map(({ number }) => number),
  )
  const cards: readonly ThreeDSecureCard[] = [...threeDSecureCards, ...threeDSecureFaultCards]
  const cardRangeData = cards
    .filter(({ flow }) => flow !== 'none')
    .map((card) => rangeOf(card, url, oldVersionNumbers.has(card.number)))
  return { serialNum: digestOf(cardRangeData), cardRangeData }
}

const rangeOf = ({ number, methodData }: ThreeDSecureCard, url: string, isOldVersion: boolean): CardRange => ({
  startRange: number,
  endRange: number,
  actionInd: 'A',
  acsStartProtocolVersion: '2.1.0',
  acsEndProtocolVersion: isOldVersion ? '2.1.0' : '2.2.0',
  threeDSMethodURL: methodData ? `${url}/acs/method` : undefined,
  acsInfoInd: ['01', '02', '03'],
})

/** The serial number of ranges, at most 20 characters. It changes with the ranges. */
const digestOf = (ranges: readonly CardRange[]): string =>
  createHash('sha256').update(JSON.stringify(ranges)).digest('hex').slice(0, 20)
