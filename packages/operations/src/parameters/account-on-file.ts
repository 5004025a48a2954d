import { isTrue, type RequestParameters } from '@tollgate/contract'
import { readMandate } from './account.ts'

/** The parameters of a request with a stored account. */
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
     * that payment only." undefined unless `overrideHolder` is true.
     */
    cardHolder: overridesHolder ? values.get('card.holder') : undefined,
    bankAccountHolder: overridesHolder ? values.get('bankAccount.holder') : undefined,
    mandate: readMandate(parameters),
    /** The due date of a direct debit. */
    dueDate: values.get('transactionDueDate'),
    /** The proof that the shopper has the token: its cryptogram, or its dynamic token verification code. */
    cryptogram: secrets.get('tokenAccount.cryptogram'),
    dtvc: secrets.get('tokenAccount.dtvc'),
    /** The message, type and PIN of a gift card. */
    message: values.get('giftCard.message'),
    giftCardType: values.get('giftCard.type'),
    pin: secrets.get('giftCard.pin'),
  }
}
