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
  /** Whether a cvv or what stands for one was sent. */
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
export const accountRequest = (head: Head): AccountRequest<SentAccount> =>
  requestFor(head, readAccount(head.parameters))

/**
 * The request of an account that is stored.
 *
 * @param registrationId undefined: the account is that of a payment
 */
export const onFileRequest = (head: Head, registrationId: string | undefined): AccountRequest<AccountOnFile> =>
  requestFor(head, readAccountOnFile(head.parameters, registrationId))

function requestFor<Account>(head: Head, account: Account): AccountRequest<Account> {
  const { parameters } = head
  const { secrets } = parameters
  return {
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
    ...head,
  }
}
