import {
  erroOf,
  type Fault,
  fault,
  type Fields,
  parseMessage,
  readMessage,
  writeMessage,
} from '@tollgate/three-d-secure'
import type { ThreeDSecureEnvironment } from '../environment.ts'
import { authenticate } from './authenticate.ts'
import { prepare } from './prepare.ts'

/** `POST /ds`: answers a preparation request or an authentication request, in JSON; any other body gets an error. */
export async function directoryServer(environment: ThreeDSecureEnvironment, body: string): Promise<Uint8Array> {
  const parsed = parseMessage(body)
  if ('fault' in parsed) return refuse(parsed.fault, {})
  const { messageType, fields } = parsed
  switch (messageType) {
    case 'PReq': {
      const read = readMessage('PReq', parsed)
      return 'ok' in read ? prepare(environment, read.ok) : refuse(faultOf(read), fields, 'PReq')
    }
    case 'AReq': {
      const read = readMessage('AReq', parsed)
      return 'ok' in read ? authenticate(environment, read.ok) : refuse(faultOf(read), fields, 'AReq')
    }
    case 'ARes':
    case 'CReq':
    case 'CRes':
    case 'Erro':
    case 'PRes':
    case 'RReq':
    case 'RRes':
      return refuse(fault('101', 'messageType'), fields)
  }
}

const faultOf = (read: { readonly fault: Fault } | { readonly erro: unknown }): Fault =>
  'fault' in read ? read.fault : fault('101', 'messageType')

const UUID = /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/

function refuse(reason: Fault, fields: Fields, errorMessageType?: 'PReq' | 'AReq'): Uint8Array {
  const { threeDSServerTransID: id } = fields
  const threeDSServerTransID = typeof id === 'string' && UUID.test(id) ? id : undefined
  return writeMessage('Erro', erroOf(reason, { errorComponent: 'D', errorMessageType, threeDSServerTransID }))
}
