import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { AccountRow } from '@tollgate/storage'
import { fingerprintText } from '@tollgate/operations'
import type { Gateway } from '../../gateway.ts'
import { ManageError } from './manage-error.ts'
import { ById } from './schemas.ts'

/** Answers with the masked account of a payment or registration, for blocklists. */
export function accountRoutes({ storage }: Gateway): FastifyPluginAsyncTypebox {
  return async (server) => {
    server.get('/accounts/:id', { schema: { params: ById } }, async ({ params }) => {
      const account = await storage.account(params.id)
      if (account) return view(account)
      throw new ManageError(
        404,
        `There is no account ${params.id}: give the id of a registration, or of a first payment.`,
      )
    })
  }
}

function view({ id, merchant, kind, brand, bin, last4, fingerprint: code, fingerprint_key_id: keyId }: AccountRow) {
  const fingerprint = code && keyId !== null ? fingerprintText({ keyId, code }) : null
  return { id, merchant, kind, brand, bin, last4Digits: last4, fingerprint }
}
