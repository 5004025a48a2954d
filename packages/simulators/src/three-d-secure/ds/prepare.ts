import { drawUuid, type World } from '../world.ts'
import { type MessageOf, protocolVersions, writeMessage } from '@tollgate/three-d-secure'

/** Which cards take part. A server that has the newest ranges gets none. */
export function prepare(world: World, preq: MessageOf<'PReq'>): Uint8Array {
  const { serialNum, cardRangeData } = world.ranges
  return writeMessage('PRes', {
    messageVersion: preq.messageVersion,
    threeDSServerTransID: preq.threeDSServerTransID,
    dsTransID: drawUuid(world),
    dsStartProtocolVersion: protocolVersions[0],
    dsEndProtocolVersion: protocolVersions[1],
    serialNum,
    cardRangeData: preq.serialNum === serialNum ? undefined : cardRangeData,
  })
}
