import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { disputeStages, disputeStates } from '@tollgate/domain'
import {
  DISPUTE_POSITION,
  dayIn,
  disputePage,
  disputesReport,
  disputeView,
  type InquiryResult,
  openInquiry,
  type OperatorStep,
  type StepResult,
  takeStep,
} from '@tollgate/operations'
import type { DisputeRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { accepts } from '../accepts.ts'
import { existingEntity } from './entities.ts'
import { ManageError } from './manage-error.ts'
import { Day } from './report-days.ts'
import { ById, defaultToEmptyBody, Id, strictObject } from './schemas.ts'
import { sendReport } from './send-report.ts'

const Note = Type.Optional(Type.String({ minLength: 1, maxLength: limits.disputeNoteCharsMax }))
const Inquiry = strictObject({
  transactionId: Id,
  reason: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9.]{1,16}$' })),
  receivedOn: Type.Optional(Day),
  dueOn: Type.Optional(Day),
  note: Note,
})
const Filter = strictObject({
  state: Type.Optional(Type.Enum([...disputeStates])),
  stage: Type.Optional(Type.Enum([...disputeStages])),
  entityId: Type.Optional(Id),
  dueBefore: Type.Optional(Day),
  after: Type.Optional(Type.String({ pattern: DISPUTE_POSITION })),
})

const steps: readonly OperatorStep[] = ['submit', 'escalate', 'accept', 'win', 'lose']

/** Lists disputes, opens them by inquiries, and takes their steps. */
export function disputeRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { storage, clock } = gateway

  async function view(row: DisputeRow) {
    const stored = await storage.treeOf(row.id)
    const shown = stored && disputeView(row, stored, clock.now())
    if (shown) return shown
    throw new ManageError(404, `The payment of the dispute ${row.id} is not stored.`)
  }

  return async (server) => {
    server.get('/disputes', { schema: { querystring: Filter } }, async (request, reply) => {
      const { after, ...filter } = request.query
      if (filter.entityId !== undefined) existingEntity(gateway, filter.entityId)
      checkDay(filter.dueBefore, 'querystring/dueBefore')
      if (accepts(request, 'text/csv')) return sendReport(gateway, request, reply, disputesReport(gateway, filter))
      return disputePage(gateway, filter, after)
    })
    server.post('/disputes', { schema: { body: Inquiry } }, async ({ body }, reply) => {
      const { transactionId, reason, receivedOn, dueOn, note } = body
      checkDay(receivedOn, 'body/receivedOn')
      checkDay(dueOn, 'body/dueOn')
      const result = await openInquiry(gateway, { transactionId, reason, receivedOn, dueOn, note })
      if (result.kind !== 'opened') throw inquiryErrors[result.kind]
      return reply.code(201).send(await view(result.row))
    })
    server.get('/disputes/:id', { schema: { params: ById } }, async ({ params }) =>
      view(await existingDispute(gateway, params.id)),
    )
    for (const step of steps)
      server.post(
        `/disputes/:id/${step}`,
        { schema: { params: ById, body: strictObject({ note: Note }) }, preValidation: defaultToEmptyBody },
        async ({ params, body }) => {
          const result = await takeStep(gateway, await existingDispute(gateway, params.id), { step, note: body.note })
          if (result.kind === 'taken') return view(result.row)
          throw stepError(result)
        },
      )
  }
}

/** @throws ManageError if there is no dispute with the id */
export async function existingDispute({ storage }: Pick<Gateway, 'storage'>, id: string): Promise<DisputeRow> {
  const row = await storage.dispute(id)
  if (row) return row
  throw new ManageError(404, `There is no dispute ${id}: its id is that of the disputed transaction.`)
}

/** @throws ManageError if the text is not a day */
function checkDay(text: string | undefined, name: string): void {
  if (text !== undefined && dayIn(text) === undefined)
    throw new ManageError(400, `${name} must be a day such as 2027-01-31`)
}

const CHANGED = 'The dispute was changed concurrently: read it again and retry.'

const inquiryErrors: Readonly<Record<Exclude<InquiryResult['kind'], 'opened'>, ManageError>> = {
  noCharge: new ManageError(404, 'There is no approved debit, capture or rebill with this id.'),
  isOpen: new ManageError(409, 'The dispute of this transaction is open: read it.'),
  tooMany: new ManageError(409, 'The dispute of this transaction has too many events.'),
  stale: new ManageError(409, 'The payment was changed concurrently: retry.'),
}

function stepError(result: Exclude<StepResult, { kind: 'taken' }>): ManageError {
  switch (result.kind) {
    case 'stale':
      return new ManageError(409, CHANGED)
    case 'notPermitted':
      return new ManageError(409, 'The stage of the dispute does not permit this step: read its `steps`.')
    case 'noEvidence':
      return new ManageError(409, 'There is no evidence to send: upload a file first.')
    case 'refused':
      return new ManageError(409, `The reversal of the chargeback was refused with ${result.code}: read the payment.`)
  }
}
