import { isTrue, type RequestParameters, type Secret } from '@tollgate/contract'
import type { Mandate } from '@tollgate/domain'
import { readMandate } from './account.ts'

/** A stored account, with the additions of a request. */
export interface AccountOnFile {
  readonly structure: 'onFile'
  /** undefined: the account is that of a payment. */
  readonly registrationId: string | undefined
  readonly cvv: Secret | undefined
  /**
   * "overrideHolder: allows card.holder or bankAccount.holder to replace an empty holder of the registration, for that
   * payment only." undefined without it.
   */
  readonly cardHolder: string | undefined
  readonly bankAccountHolder: string | undefined
  readonly mandate: Mandate | undefined
  /** Of the direct debit. */
  readonly dueDate: string | undefined
  /** Of a token. */
  readonly cryptogram: Secret | undefined
  readonly dtvc: Secret | undefined
  /** Of a gift card. */
  readonly message: string | undefined
  readonly giftCardType: string | undefined
  readonly pin: Secret | undefined
}

export function readAccountOnFile(parameters: RequestParameters, registrationId: string | undefined): AccountOnFile {
  const { values, secrets } = parameters
  const overridesHolder = isTrue(parameters, 'overrideHolder')
  return {
    structure: 'onFile',
    registrationId,
    cvv: secrets.get('card.cvv'),
    cardHolder: overridesHolder ? values.get('card.holder') : undefined,
    bankAccountHolder: overridesHolder ? values.get('bankAccount.holder') : undefined,
    mandate: readMandate(parameters),
    dueDate: values.get('transactionDueDate'),
    cryptogram: secrets.get('tokenAccount.cryptogram'),
    dtvc: secrets.get('tokenAccount.dtvc'),
    message: values.get('giftCard.message'),
    giftCardType: values.get('giftCard.type'),
    pin: secrets.get('giftCard.pin'),
  }
}
