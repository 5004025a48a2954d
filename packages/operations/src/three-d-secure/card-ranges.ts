import { isProtocolVersion, protocolVersions, readMessage, writeMessage } from '@tollgate/three-d-secure'
import type { Clock } from '../clock.ts'
import type { Ids } from '../ids.ts'
import { limits } from '../limits.ts'
import type { CardRanges, DirectoryServer, Participation } from '../ports/issuers.ts'
import { SERVER_REFERENCE, uuidOf } from './server-identity.ts'

interface Range extends Participation {
  /** Digits as bytes; both bounds have the same length. */
  readonly start: Uint8Array
  readonly end: Uint8Array
}

/** Card ranges are loaded at first use and refreshed periodically; during a refresh the previous ranges are used. */
export function cardRanges(
  server: DirectoryServer,
  { clock, ids }: { readonly clock: Clock; readonly ids: Ids },
): CardRanges {
  let ranges: readonly Range[] = []
  let serialNum: string | undefined
  let dueAtMs = 0
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const threeDSServerTransID = uuidOf(ids.random())
    const message = {
      messageVersion: protocolVersions[1],
      threeDSServerTransID,
      threeDSServerRefNumber: SERVER_REFERENCE,
    }
    const answer = await server.send(writeMessage('PReq', { ...message, serialNum }))
    const read = answer && readMessage('PRes', answer, { threeDSServerTransID })
    const isRead = read !== undefined && 'ok' in read
    dueAtMs = clock.now() + (isRead ? limits.cardRangesEveryMs : limits.cardRangesRetryMs)
    if (!isRead || !read.ok.cardRangeData) return
    ranges = read.ok.cardRangeData.flatMap(rangeOf)
    serialNum = read.ok.serialNum
  }

  return {
    async find(number) {
      const isClockSetBack = dueAtMs > clock.now() + limits.cardRangesEveryMs
      if (isClockSetBack || clock.now() >= dueAtMs) refreshing ??= refresh().finally(() => (refreshing = undefined))
      // Callers wait only for the first load.
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
