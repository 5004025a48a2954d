import {
  erroOf,
  type Fault,
  fault,
  type Fields,
  openMessage,
  readMessage,
  writeMessage,
} from '@tollgate/three-d-secure'
import type { SimulatorResponse } from '../../http/exchange.ts'
import type { Call } from '../../http/routes.ts'
import { message } from '../answers.ts'
import type { World } from '../world.ts'
import { authenticate } from './authenticate.ts'
import { prepare } from './prepare.ts'

/** `POST /ds`: a preparation or an authentication request, JSON. */
export async function directoryServer(world: World, { body }: Call): Promise<SimulatorResponse> {
  const opened = openMessage(body)
  if ('fault' in opened) return message(refuse(opened.fault, {}))
  const { messageType, fields } = opened
  switch (messageType) {
    case 'PReq': {
      const read = readMessage('PReq', opened)
      return message('ok' in read ? prepare(world, read.ok) : refuse(faultOf(read), fields, 'PReq'))
    }
    case 'AReq': {
      const read = readMessage('AReq', opened)
      return message('ok' in read ? await authenticate(world, read.ok) : refuse(faultOf(read), fields, 'AReq'))
    }
    case 'ARes':
    case 'CReq':
    case 'CRes':
    case 'Erro':
    case 'PRes':
    case 'RReq':
    case 'RRes':
      return message(refuse(fault('101', 'messageType'), fields))
  }
}

const faultOf = (read: { readonly fault: Fault } | { readonly erro: unknown }): Fault =>
  'fault' in read ? read.fault : fault('101', 'messageType')

const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/

function refuse(found: Fault, fields: Fields, errorMessageType?: 'PReq' | 'AReq'): Uint8Array {
  const { threeDSServerTransID: id } = fields
  const threeDSServerTransID = typeof id === 'string' && UUID.test(id) ? id : undefined
  return writeMessage('Erro', erroOf(found, { errorComponent: 'D', errorMessageType, threeDSServerTransID }))
}
