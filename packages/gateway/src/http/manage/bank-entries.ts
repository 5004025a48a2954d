import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isCurrency } from '@tollgate/contract'
import { formatSum } from '@tollgate/domain'
import {
  assignBankEntry,
  type AssignmentResult,
  assignmentTargets,
  bankEntryStates,
  explanationOf,
  narrow,
  undoAssignment,
} from '@tollgate/operations'
import type { BankEntryRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { ById, Id, strictObject } from './schemas.ts'

const Search = strictObject({
  state: Type.Optional(Type.Enum([...bankEntryStates])),
  after: Type.Optional(Type.String({ pattern: '^[0-9-]{10}/[0-9a-f]{32}$' })),
})
const Assignment = strictObject({
  to: Type.Enum([...assignmentTargets]),
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: limits.assignedFilesMax, uniqueItems: true })),
  reason: Type.String({ minLength: 1, maxLength: limits.matchReasonCharsMax }),
})

/** Shows the entries of bank accounts, by default the unmatched ones, and assigns these by hand. */
export function bankEntryRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage } = gateway

  async function existingEntry(id: string): Promise<BankEntryRow> {
    const entry = await storage.bankEntry(id)
    if (entry) return entry
    throw new ManageError(404, `There is no bank entry ${id}.`)
  }

  return async (server) => {
    server.get('/bank-entries', { schema: { querystring: Search } }, async ({ query }) => {
      const [day = '', id = ''] = query.after?.split('/') ?? []
      const entries = await storage.bankEntriesAfter(query.state ?? 'unmatched', day, id, limits.listMax)
      const last = entries.at(-1)
      const next = last && entries.length === limits.listMax ? `${last.booked_on}/${last.id}` : undefined
      return { bankEntries: entries.map(view), next }
    })

    server.get('/bank-entries/:id', { schema: { params: ById } }, async ({ params }) =>
      view(await existingEntry(params.id)),
    )

    server.put(
      '/bank-entries/:id/assignment',
      { schema: { params: ById, body: Assignment } },
      async ({ params, body: { to, id, ids, reason } }) => {
        if (ids && (to !== 'settlementFile' || id !== undefined))
          throw new ManageError(400, 'body/ids is for settlement files only, and without body/id')
        const named = ids ?? (id === undefined ? [] : [id])
        if (to === 'charges' && named.length > 0)
          throw new ManageError(400, 'body/id must be absent: charges have no id')
        if (to !== 'charges' && named.length === 0) throw new ManageError(400, `body/id is required: name the ${to}`)
        return changed(await assignBankEntry(gateway, await existingEntry(params.id), { to, ids: named, reason }))
      },
    )

    server.delete('/bank-entries/:id/assignment', { schema: { params: ById } }, async ({ params }) =>
      changed(await undoAssignment(gateway, await existingEntry(params.id))),
    )
  }
}

/** The answers to results that change nothing. */
const refusals: Readonly<Record<Exclude<AssignmentResult['kind'], 'changed'>, ManageError>> = {
  stale: new ManageError(409, 'The entry was changed concurrently: read it again and retry.'),
  isExplained: new ManageError(409, 'The entry is explained or assigned: undo its assignment first.'),
  noTarget: new ManageError(404, 'There is no such record: check body/to and body/id.'),
  mismatch: new ManageError(409, 'Amount, currency or state of the record contradicts the entry.'),
  notByHand: new ManageError(409, 'Only an assignment by hand can be undone.'),
}

function changed(result: AssignmentResult) {
  if (result.kind === 'changed') return view(result.entry)
  throw refusals[result.kind]
}

const view = (row: BankEntryRow) => ({
  id: row.id,
  settlementFile: row.file_id,
  number: row.number,
  account: row.account,
  bookedOn: row.booked_on,
  valueOn: row.value_on,
  direction: row.direction,
  amount: formatSum(row.amount_minor, narrow(isCurrency, row.currency)),
  currency: row.currency,
  booking: row.booking,
  reference: row.reference,
  endToEndId: row.end_to_end_id,
  state: row.state,
  reason: row.reason === '' ? null : row.reason,
  payoutId: row.payout_id,
  explanation: explanationView(row),
  createdAt: timeOf(row.created_at_ms),
  changedAt: timeOf(row.changed_at_ms),
})

/** The record that explains an entry; null: none, or rows of its own file. */
function explanationView(row: BankEntryRow) {
  const explanation = explanationOf(row)
  if (!explanation) return null
  switch (explanation.kind) {
    case 'charges':
      return { kind: explanation.kind }
    case 'payout':
    case 'merchant':
      return { kind: explanation.kind, merchantId: explanation.merchant }
    case 'acquirer':
      return { kind: explanation.kind, acquirer: explanation.acquirer }
    case 'settlementFile': {
      const { kind, fileIds, acquirer, netMinor } = explanation
      return { kind, settlementFiles: fileIds, acquirer, amount: formatSum(netMinor, narrow(isCurrency, row.currency)) }
    }
  }
}
