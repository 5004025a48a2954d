import { isProtocolVersion, protocolVersions, readMessage, writeMessage } from '@tollgate/three-d-secure'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { limits } from '../limits.ts'
import type { CardRanges, DirectoryServer, Participation } from '../ports/issuers.ts'
import { SERVER_REFERENCE } from './server-reference.ts'
import { serverTransactionIdOf } from './server-transaction-id.ts'

interface Range extends Participation {
  /** Digits as bytes; both bounds have the same length. */
  readonly start: Uint8Array
  readonly end: Uint8Array
}

/**
 * Caches card ranges. The first use loads them. A use after the refresh interval starts a refresh, during which the
 * previous ranges are used.
 */
export function createCardRanges(
  server: DirectoryServer,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): CardRanges {
  let ranges: readonly Range[] = []
  let serialNum: string | undefined
  let dueAtMs = 0
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const threeDSServerTransID = serverTransactionIdOf(ids.random())
    const message = {
      messageVersion: protocolVersions[1],
      threeDSServerTransID,
      threeDSServerRefNumber: SERVER_REFERENCE,
    }
    const answer = await server.send(writeMessage('PReq', { ...message, serialNum }))
    const parsed = answer && readMessage('PRes', answer, { threeDSServerTransID })
    const isParsed = parsed !== undefined && 'ok' in parsed
    dueAtMs = clock.now() + (isParsed ? limits.cardRangesEveryMs : limits.cardRangesRetryMs)
    if (!isParsed || !parsed.ok.cardRangeData) return
    ranges = parsed.ok.cardRangeData.flatMap(rangeOf)
    serialNum = parsed.ok.serialNum
  }

  return {
    async find(number) {
      const isClockSetBack = dueAtMs > clock.now() + limits.cardRangesEveryMs
      if (isClockSetBack || clock.now() >= dueAtMs) refreshing ??= refresh().finally(() => (refreshing = undefined))
      // Callers wait only while no ranges are in memory.
      if (ranges.length === 0) await refreshing
      return number.use((digits) => ranges.find(({ start, end }) => isBetween(digits, start, end)))
    },
  }
}

type CardRange = {
  readonly startRange: string
  readonly endRange: string
  readonly actionInd?: string | undefined
  readonly acsEndProtocolVersion: string
  readonly threeDSMethodURL?: string | undefined
}

function rangeOf(range: CardRange): readonly Range[] {
  if (range.actionInd === 'D') return []
  const { startRange, endRange, acsEndProtocolVersion: newest, threeDSMethodURL: methodUrl } = range
  const version = isProtocolVersion(newest) ? newest : protocolVersions[1]
  return [{ start: Buffer.from(startRange), end: Buffer.from(endRange), version, methodUrl }]
}

const isBetween = (digits: Uint8Array, start: Uint8Array, end: Uint8Array): boolean =>
  digits.length === start.length && Buffer.compare(digits, start) >= 0 && Buffer.compare(digits, end) <= 0
