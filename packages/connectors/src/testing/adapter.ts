import type { ResultCode } from '@tollgate/contract'
import type { AcquirerOperation, AcquirerRequest, Connector } from '../port.ts'
import { faults, type FaultName, faultsWith, type FaultOutcome } from './faults.ts'
import { inquire, originalOf, send, type Sent } from './connector-session.ts'
import { sampleCard, sampleRequest } from './sample-requests.ts'

/** Amounts of all payments at a counterpart, in minor units. */
export interface Books {
  /** Held and not captured or released. */
  readonly heldMinor: number
  /** Captured or charged, less what was refunded or reversed. */
  readonly takenMinor: number
}

type OptionalMethod = 'references' | 'inquire' | 'open' | 'close'

/** A request of the suite as it differs from the sample card's debit of 92.00 EUR. Each call returns new secrets. */
type Changes = () => Partial<AcquirerRequest>

/** A connector and its counterpart, as the suite needs them. */
export interface ConformanceAdapter {
  /** The title of the suite. */
  readonly name: string
  /** The operations that begin a payment. */
  readonly begins: readonly ('PA' | 'DB' | 'CD')[]
  /** The operations that refer to a payment; PA is an increase of a held amount. */
  readonly follows: readonly ('PA' | 'CP' | 'RV' | 'RF')[]
  /** The optional methods of the connector. */
  readonly methods: readonly OptionalMethod[]
  /** A payment that is approved. */
  readonly approved: Changes
  /** A payment that is declined, and its result code. */
  readonly declined: { readonly changes: Changes; readonly code: ResultCode }
  /** A payment of which a part is approved; or the reason why there is none. */
  readonly partial: { readonly changes: Changes; readonly approvedMinor: number } | string
  /** The faults that the counterpart cannot have, with the reason. 'local': it is in the same process. */
  readonly withoutFaults: Readonly<Partial<Record<FaultName, string>>> | 'local'
  /** Starts connector and counterpart. */
  start(): Promise<Running>
}

/** A connector with its counterpart. The functions about the counterpart do not use the connector. */
export interface Running {
  readonly connector: Connector
  /** Sets a fault of the counterpart, or ends it. Absent if the counterpart is local. */
  readonly setFault?: (fault: FaultName | undefined) => Promise<void>
  /** Absent if the counterpart keeps no books. */
  readonly books?: () => Promise<Books>
  /** Confirms a pending payment in place of the shopper, who rejects it if it is the declined one. */
  readonly confirm?: (sent: Sent) => Promise<void>
  /** Ends the counterpart. The suite has closed the connector before. */
  readonly close: () => Promise<void>
}

/** The faults with these outcomes that the counterpart of an adapter can have. */
export const faultsOf = ({ withoutFaults }: ConformanceAdapter, ...outcomes: readonly FaultOutcome[]) =>
  withoutFaults === 'local' ? [] : faultsWith(...outcomes).filter((name) => withoutFaults[name] === undefined)

/** Rows for tests of faults: the name, and the effect. */
export const faultRows = (names: readonly FaultName[]): readonly (readonly [FaultName, string])[] =>
  names.map((name) => [name, faults[name].effect] as const)

/** A payment of the suite. */
export const paymentOf = ({ approved }: ConformanceAdapter, changes: Partial<AcquirerRequest> = {}): AcquirerRequest =>
  sampleRequest({ ...approved(), ...changes })

/** Sends a payment, and confirms it if it is pending. */
export async function pay(running: Running, request: AcquirerRequest): Promise<Sent> {
  const sent = await send(running.connector, request)
  if (sent.reply.status !== 'pending') return sent
  await running.confirm?.(sent)
  return { ...sent, reply: await inquire(running.connector, sent) }
}

/** A request that refers to a payment. It has the account only if the connector needs it. */
export function followUpOf(
  adapter: ConformanceAdapter,
  { connector }: Running,
  sent: Sent,
  operation: AcquirerOperation,
  amountMinor: number,
): AcquirerRequest {
  const account = connector.kind === 'remote' && connector.needsAccountLater ? sampleCard() : undefined
  const original = originalOf(sent, operation === 'CP' ? 1 : undefined)
  return paymentOf(adapter, { operation, amountMinor, account, original, urls: undefined })
}

/** Does work, and returns by how much it has changed the books; undefined without books. */
export async function changeOfBooks({ books }: Running, work: () => Promise<unknown>): Promise<Books | undefined> {
  const before = await books?.()
  await work()
  const after = await books?.()
  return (
    before &&
    after && {
      heldMinor: after.heldMinor - before.heldMinor,
      takenMinor: after.takenMinor - before.takenMinor,
    }
  )
}

/** What the books of a counterpart show; undefined without books. */
export const ifBooks = ({ books }: Running, expected: Books): Books | undefined => books && expected

export const nothing: Books = { heldMinor: 0, takenMinor: 0 }
