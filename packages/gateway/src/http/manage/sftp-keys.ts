import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addSftpKey, revokeSftpKey } from '@tollgate/operations'
import { fingerprintOf, parsePublicKey } from '@tollgate/sftp'
import type { SftpKeyRow } from '@tollgate/storage'
import { Type } from 'typebox'
import type { Gateway } from '../../gateway.ts'
import { limits } from '../../limits.ts'
import { existingEntity } from './entities.ts'
import { timeOf } from './instant.ts'
import { ManageError } from './manage-error.ts'
import { retryOnConflict } from './retry-on-conflict.ts'
import { ById, ForEntity, Id, strictObject } from './schemas.ts'
import { voidBySandbox } from './void-by-sandbox.ts'

const NewKey = strictObject({
  entityId: Id,
  publicKey: Type.String({ minLength: 1, maxLength: limits.sftpKeyCharsMax }),
  label: Type.String({ minLength: 1, maxLength: limits.sftpLabelCharsMax }),
})

/** Lists, adds and revokes the public keys with which merchants log in to the SFTP server, and shows the server. */
export function sftpKeyRoutes(gateway: Gateway): FastifyPluginAsyncTypebox {
  const { directory, storage, sftpServer } = gateway

  async function existingKey(id: string): Promise<SftpKeyRow> {
    const row = (await storage.sftpKeys()).find((key) => key.id === id)
    if (!row) throw new ManageError(404, `There is no SFTP key ${id}.`)
    return row
  }
  function merchantOf(id: string): string {
    const { kind } = existingEntity(gateway, id)
    if (kind !== 'merchant') throw new ManageError(400, `The entity ${id} is a ${kind}: name a merchant.`)
    if (directory.isVoid(id)) throw new ManageError(409, `The entity ${id} is void: ${voidBySandbox.void}.`)
    return id
  }

  return async (server) => {
    server.get('/sftp-server', () => {
      if (sftpServer === undefined) return { state: 'off' }
      const { pid: _pid, ...state } = sftpServer.state()
      return state
    })

    server.get('/sftp-keys', { schema: { querystring: ForEntity } }, async ({ query }) => {
      const keys = (await storage.sftpKeys()).filter(
        ({ entity_id: id }) => query.entityId === undefined || id === query.entityId,
      )
      return { keys: keys.slice(0, limits.listMax).map(view), total: keys.length }
    })

    server.post('/sftp-keys', { schema: { body: NewKey } }, async ({ body: { entityId, publicKey, label } }, reply) => {
      const merchant = merchantOf(entityId)
      const { line, fingerprint } = readKey(publicKey)
      const added = await addSftpKey(gateway, { merchant, label, publicKey: line, fingerprint })
      if (added === 'known') throw new ManageError(409, 'The merchant has this key already.')
      if (added === 'tooMany') throw new ManageError(409, 'There are too many keys: revoke those that are not used.')
      return reply.code(201).send(view(added))
    })

    server.delete('/sftp-keys/:id', { schema: { params: ById } }, ({ params }) =>
      retryOnConflict(async () => {
        const revoked = await revokeSftpKey(gateway, await existingKey(params.id))
        return revoked && view(revoked)
      }),
    )
  }
}

/** Reads a line of OpenSSH. Its comment is not kept. @throws ManageError without the key */
function readKey(text: string): { readonly line: string; readonly fingerprint: string } {
  const key = /^[\x20-\x7e\t]+\r?\n?$/.test(text) ? parsePublicKey(text.trim()) : undefined
  if (key === undefined || (key.rsaBits !== undefined && key.rsaBits < limits.sftpRsaBitsMin))
    throw new ManageError(
      400,
      'body/publicKey must be one line of OpenSSH with a public key: Ed25519, ECDSA, or RSA of ' +
        `${limits.sftpRsaBitsMin} to 8192 bits.`,
    )
  return { line: key.line, fingerprint: fingerprintOf(key.digest) }
}

/** The name of the user is the id of the merchant. */
const view = (row: SftpKeyRow) => ({
  id: row.id,
  entityId: row.entity_id,
  userName: row.entity_id,
  label: row.label,
  publicKey: row.public_key,
  fingerprint: row.fingerprint,
  createdAt: timeOf(row.created_at_ms),
  lastUsedAt: row.last_used_at_ms === null ? null : timeOf(row.last_used_at_ms),
  revokedAt: row.revoked_at_ms === null ? null : timeOf(row.revoked_at_ms),
})
