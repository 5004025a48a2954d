import { drawUuid, type ThreeDSecureEnvironment } from '../environment.ts'
import { type MessageOf, protocolVersions, writeMessage } from '@tollgate/three-d-secure'
import { cardRanges } from './card-ranges.ts'

/** Answers with the ranges of enrolled cards, or without them if the request has their current serial number. */
export function prepare(environment: ThreeDSecureEnvironment, preq: MessageOf<'PReq'>): Uint8Array {
  const { serialNum, cardRangeData } = cardRanges(environment.url)
  return writeMessage('PRes', {
    messageVersion: preq.messageVersion,
    threeDSServerTransID: preq.threeDSServerTransID,
    dsTransID: drawUuid(environment),
    dsStartProtocolVersion: protocolVersions[0],
    dsEndProtocolVersion: protocolVersions[1],
    serialNum,
    cardRangeData: preq.serialNum === serialNum ? undefined : cardRangeData,
  })
}
