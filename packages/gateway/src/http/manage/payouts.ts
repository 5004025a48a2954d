import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { currencies, isCurrency } from '@tollgate/contract'
import { formatSum, parseAmount } from '@tollgate/domain'
import {
  cancelPayout,
  type InstructedPayout,
  instructPayout,
  narrow,
  payoutInstruction,
  payoutStates,
} from '@tollgate/operations'
import type { PayoutRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { existingEntity } from './entities.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { ById, Id, strictObject } from './schemas.ts'

const Instruction = strictObject({
  entityId: Id,
  currency: Type.String({ enum: Object.keys(currencies) }),
  amount: Type.Optional(Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{2})?$' })),
})
const Key = Type.Object({ 'idempotency-key': Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) })
const Search = strictObject({
  entityId: Type.Optional(Id),
  state: Type.Optional(Type.Enum([...payoutStates])),
  before: Type.Optional(Id),
})

/** Instructs payouts to merchants, shows them, and cancels those that the bank has not confirmed. */
export function payoutRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage } = gateway

  function existingMerchant(id: string, part: string): string {
    const { kind } = existingEntity(gateway, id)
    if (kind !== 'merchant') throw new ManageError(400, `${part}/entityId is a ${kind}, not a merchant`)
    return id
  }
  async function existingPayout(id: string): Promise<PayoutRow> {
    const payout = await storage.payout(id)
    if (payout) return payout
    throw new ManageError(404, `There is no payout ${id}.`)
  }

  return async (server) => {
    server.post('/payouts', { schema: { body: Instruction, headers: Key } }, async ({ body, headers }, reply) => {
      const key = headers['idempotency-key']
      if (key === undefined) throw new ManageError(400, 'Send an Idempotency-Key, so that a repetition pays once.')
      const currency = narrow(isCurrency, body.currency)
      const parsed = body.amount === undefined ? undefined : parseAmount(body.amount, currency)
      if (parsed?.kind === 'refused') throw new ManageError(400, `body/amount: ${parsed.reason}`)
      const merchant = existingMerchant(body.entityId, 'body')
      const amountMinor = parsed?.amountMinor ?? null
      const payout = payoutIn(await instructPayout(gateway, { merchant, currency, amountMinor, key }))
      return reply.code(payout.isNew ? 201 : 200).send(view(payout.row))
    })

    server.get('/payouts', { schema: { querystring: Search } }, async ({ query }) => {
      const before = query.before === undefined ? undefined : await existingPayout(query.before)
      const [atMs, id] = before ? [before.created_at_ms, before.id] : [Number.MAX_SAFE_INTEGER, '']
      const state = query.state ?? '%'
      const payouts =
        query.entityId === undefined
          ? await storage.payoutsBefore(atMs, id, state, limits.listMax)
          : await storage.merchantPayoutsBefore(
              existingMerchant(query.entityId, 'querystring'),
              atMs,
              id,
              state,
              limits.listMax,
            )
      return { payouts: payouts.map(view), next: payouts.length === limits.listMax ? payouts.at(-1)?.id : undefined }
    })

    server.get('/payouts/:id', { schema: { params: ById } }, async ({ params }) =>
      view(await existingPayout(params.id)),
    )

    server.get('/payouts/:id/instruction', { schema: { params: ById } }, async ({ params }, reply) => {
      const payout = await existingPayout(params.id)
      const instruction = await payoutInstruction(gateway, payout)
      if (!instruction) throw new ManageError(409, `The payout is ${payout.state}: only an instructed one is paid.`)
      const { id, amount, currency } = view(payout)
      return reply.header('cache-control', 'no-store').send({ endToEndId: id, amount, currency, ...instruction })
    })

    server.post('/payouts/:id/cancel', { schema: { params: ById } }, async ({ params }) => {
      const { state } = await existingPayout(params.id)
      const cancelled = await cancelPayout(gateway, params.id)
      if (cancelled) return view(cancelled)
      throw new ManageError(409, `The payout is ${state}: only an instructed one can be cancelled.`)
    })
  }
}

/** The answers to requests that pay nothing. */
const refusals: Readonly<Record<Exclude<InstructedPayout['kind'], 'instructed' | 'repeated'>, ManageError>> = {
  otherRequest: new ManageError(409, 'The Idempotency-Key belongs to another payout: use a new key.'),
  noAccount: new ManageError(409, 'The terms of the merchant name no account: set payouts/account.'),
  insufficient: new ManageError(409, 'Less is available: ask for a lower amount, or wait for the value date.'),
}

function payoutIn(result: InstructedPayout): { readonly isNew: boolean; readonly row: PayoutRow } {
  if ('payout' in result) return { isNew: result.kind === 'instructed', row: result.payout }
  throw refusals[result.kind]
}

const view = (row: PayoutRow) => ({
  id: row.id,
  merchantId: row.merchant,
  currency: row.currency,
  amount: formatSum(row.amount_minor, narrow(isCurrency, row.currency)),
  state: row.state,
  origin: row.origin,
  account: { holder: row.holder, last4: row.last4 },
  createdAt: timeOf(row.created_at_ms),
  changedAt: timeOf(row.changed_at_ms),
})
