import { isTrue } from '@tollgate/contract'
import type { Head } from '../request.ts'
import { readAccount, type SentAccount } from './account.ts'
import { type AccountOnFile, readAccountOnFile } from './account-on-file.ts'
import { type AuthenticationTerms, readAuthenticationTerms } from './authentication.ts'
import { type CaptureTerms, readCaptureTerms } from './capture.ts'
import { readInstruction, type SentInstruction } from './instruction.ts'
import { type Migration, readMigration } from './migration.ts'
import { type Money, readMoney } from './money.ts'
import { type Purpose, readPurpose } from './purpose.ts'
import { readReferenceData, type ReferenceData } from './reference-data.ts'
import { readRiskTerms, type RiskTerms } from './risk.ts'

/** A request to pay with an account, to store it, or to authenticate its holder. */
export interface AccountRequest<Account = SentAccount | AccountOnFile> extends Head {
  readonly money: Money
  readonly purpose: Purpose
  readonly reference: ReferenceData
  readonly account: Account
  /** Whether a cvv or its substitute was sent. */
  readonly isCvvSent: boolean
  readonly instruction: SentInstruction
  readonly migration: Migration | undefined
  /** Whether the account is stored with the payment. */
  readonly createRegistration: boolean
  readonly capture: CaptureTerms
  readonly authentication: AuthenticationTerms
  readonly risk: RiskTerms
}

export const isOnFile = (
  request: AccountRequest<SentAccount> | AccountRequest<AccountOnFile>,
): request is AccountRequest<AccountOnFile> => request.account.structure === 'onFile'

/** The request of an account that it brings itself. */
export const accountRequest = <Kind extends string>(kind: Kind, head: Head): Of<Kind, SentAccount> =>
  requestFor(kind, head, readAccount(head.parameters))

/**
 * The request of an account that is stored.
 *
 * @param registrationId undefined: the account is that of a payment
 */
export const onFileRequest = <Kind extends string>(
  kind: Kind,
  head: Head,
  registrationId: string | undefined,
): Of<Kind, AccountOnFile> => requestFor(kind, head, readAccountOnFile(head.parameters, registrationId))

type Of<Kind, Account> = AccountRequest<Account> & { readonly kind: Kind }

function requestFor<Kind, Account>(kind: Kind, head: Head, account: Account): Of<Kind, Account> {
  const { parameters } = head
  const { secrets } = parameters
  // Written out: each payment makes one, and a spread would take longer than all the rest.
  return {
    kind,
    requestId: head.requestId,
    atMs: head.atMs,
    ndc: head.ndc,
    caller: head.caller,
    entityId: head.entityId,
    channels: head.channels,
    parameters,
    claim: head.claim,
    money: readMoney(parameters),
    purpose: readPurpose(parameters),
    reference: readReferenceData(parameters),
    account,
    isCvvSent: secrets.has('card.cvv') || secrets.has('tokenAccount.dtvc'),
    instruction: readInstruction(parameters),
    migration: readMigration(parameters),
    createRegistration: isTrue(parameters, 'createRegistration'),
    capture: readCaptureTerms(parameters),
    authentication: readAuthenticationTerms(parameters),
    risk: readRiskTerms(parameters),
  }
}
