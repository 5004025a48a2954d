import type { Shape, Table } from '../field.ts'
import { areq } from './areq.ts'
import { ares } from './ares.ts'
import { creq } from './creq.ts'
import { cres } from './cres.ts'
import { erro } from './erro.ts'
import type { MessageType } from './message-type.ts'
import { preq } from './preq.ts'
import { pres } from './pres.ts'
import { rreq } from './rreq.ts'
import { rres } from './rres.ts'

const tables = {
  PReq: preq,
  PRes: pres,
  AReq: areq,
  ARes: ares,
  CReq: creq,
  CRes: cres,
  RReq: rreq,
  RRes: rres,
  Erro: erro,
} as const satisfies Readonly<Record<MessageType, Table>>

/** A message without its type. */
export type MessageOf<Kind extends MessageType> = Shape<(typeof tables)[Kind]>

/** The fields of every message. */
export const messages: Readonly<Record<MessageType, Table>> = tables
