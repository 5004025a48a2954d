import { isTrue } from '@tollgate/contract'
import type { Head } from '../request-head.ts'
import { readAccount, type SentAccount } from './account.ts'
import { type AccountOnFile, readAccountOnFile } from './account-on-file.ts'
import { readAuthenticationParameters } from './authentication.ts'
import { readCaptureParameters } from './capture.ts'
import { readInstruction } from './instruction.ts'
import { readMigration } from './migration.ts'
import { readMoney } from './money.ts'
import { readOfflineSale } from './offline-sale.ts'
import { readPurpose } from './purpose.ts'
import { readReferenceData } from './reference-data.ts'
import { readRiskParameters } from './risk.ts'

/** A request to pay with an account, to store it, or to authenticate its holder. */
export type AccountRequest<Account = SentAccount | AccountOnFile> = Readonly<
  ReturnType<typeof requestFor<string, Account>>
>

export const isOnFile = (
  request: AccountRequest<SentAccount> | AccountRequest<AccountOnFile>,
): request is AccountRequest<AccountOnFile> => request.account.structure === 'onFile'

/** Makes a request with an account in its parameters. */
export const accountRequest = <Kind extends string>(kind: Kind, head: Head) =>
  requestFor(kind, head, readAccount(head.parameters))

/**
 * Makes a request with a stored account.
 *
 * @param registrationId undefined: the account is that of an earlier payment
 */
export const onFileRequest = <Kind extends string>(kind: Kind, head: Head, registrationId: string | undefined) =>
  requestFor(kind, head, readAccountOnFile(head.parameters, registrationId))

function requestFor<Kind, Account>(kind: Kind, head: Head, account: Account) {
  const { parameters } = head
  const { secrets } = parameters
  // The members are written out, because every payment calls this function, and a spread would take longer than all its
  // other work.
  return {
    kind,
    requestId: head.requestId,
    atMs: head.atMs,
    ndc: head.ndc,
    whileWaiting: head.whileWaiting,
    caller: head.caller,
    entityId: head.entityId,
    channels: head.channels,
    parameters,
    claim: head.claim,
    money: readMoney(parameters),
    purpose: readPurpose(parameters),
    reference: readReferenceData(parameters),
    account,
    /** Whether a cvv was sent, or the dtvc of a token, which is used instead of a cvv. */
    isCvvSent: secrets.has('card.cvv') || secrets.has('tokenAccount.dtvc'),
    instruction: readInstruction(parameters),
    migration: readMigration(parameters),
    /** Whether the account is stored with the payment. */
    createRegistration: isTrue(parameters, 'createRegistration'),
    capture: readCaptureParameters(parameters),
    offlineSale: readOfflineSale(parameters),
    authentication: readAuthenticationParameters(parameters),
    risk: readRiskParameters(parameters),
  }
}
