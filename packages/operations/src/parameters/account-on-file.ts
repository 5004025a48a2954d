import { isTrue, type RequestParameters } from '@tollgate/contract'
import { readMandate } from './account.ts'

/** The parameters of a request about a stored account. */
export type AccountOnFile = Readonly<ReturnType<typeof readAccountOnFile>>

export function readAccountOnFile(parameters: RequestParameters, registrationId: string | undefined) {
  const { values, secrets } = parameters
  const overridesHolder = isTrue(parameters, 'overrideHolder')
  return {
    structure: 'onFile' as const,
    /** undefined: the account is that of an earlier payment. */
    registrationId,
    cvv: secrets.get('card.cvv'),
    /**
     * "overrideHolder: allows card.holder or bankAccount.holder to replace an empty holder of the registration, for
     * that payment only." undefined without `overrideHolder`.
     */
    cardHolder: overridesHolder ? values.get('card.holder') : undefined,
    bankAccountHolder: overridesHolder ? values.get('bankAccount.holder') : undefined,
    mandate: readMandate(parameters),
    /** Of a direct debit. */
    dueDate: values.get('transactionDueDate'),
    /** Of a token. */
    cryptogram: secrets.get('tokenAccount.cryptogram'),
    dtvc: secrets.get('tokenAccount.dtvc'),
    /** Of a gift card. */
    message: values.get('giftCard.message'),
    giftCardType: values.get('giftCard.type'),
    pin: secrets.get('giftCard.pin'),
  }
}
