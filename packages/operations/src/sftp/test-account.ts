import type { SftpAccountRow } from '@tollgate/storage'
import { limits } from '../limits.ts'
import type { SftpFault, SftpSession } from '../ports/sftp-client.ts'
import { openSftpCredentials } from './account-credentials.ts'
import { deliverySettingsOf, pathIn, sourceSettingsOf } from './account-settings.ts'
import { isDeliveredPurpose } from './sftp-accounts.ts'
import type { SftpContext } from './sftp-context.ts'

/** A small hidden file, which readers of the folder ignore. */
const TEST_TEXT = Buffer.from('This file tests the access of Tollgate to this folder.\n')

/**
 * Connects to the server of an account. For deliveries it creates a hidden file in the folder and removes it; for
 * settlement files it lists the folder.
 *
 * @returns the fault; undefined: all succeeded
 */
export async function testSftpAccount(context: SftpContext, account: SftpAccountRow): Promise<SftpFault | undefined> {
  const credentials = openSftpCredentials(context.vault, account)
  if (!credentials) return { kind: 'invalid', message: 'The account has no credentials.' }
  const { server, folder } = isDeliveredPurpose(account.purpose)
    ? deliverySettingsOf(account)
    : sourceSettingsOf(account)
  const signal = AbortSignal.timeout(limits.sftpTestMs)
  const { value: session, error } = await context.sftp.connect(server, credentials, signal)
  if (!session) return error
  try {
    if (!isDeliveredPurpose(account.purpose)) return (await session.list(folder)).error
    return await writeTestFile(session, folder, context.ids.random())
  } finally {
    await session.close()
  }
}

async function writeTestFile(session: SftpSession, folder: string, id: string): Promise<SftpFault | undefined> {
  const path = pathIn(folder, `.tollgate-test-${id}`)
  const source = {
    sizeBytes: TEST_TEXT.length,
    async *read(from: number) {
      yield TEST_TEXT.subarray(from)
    },
  }
  const { error } = await session.deliver(path, source, id)
  return error ?? (await session.remove(path)).error
}
