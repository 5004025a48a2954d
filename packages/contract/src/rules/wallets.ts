import { isSent } from '../form.ts'
import { walletBrands } from '../parameters/mobile-wallets.ts'
import { EMPTY, NO_VIOLATIONS, missing, type Rule, type Subject, type Violation } from './rule.ts'

const wallets = ['walletA', 'walletB', 'walletC'] as const

type Wallet = (typeof wallets)[number]

const cardFields = ['card.number', 'card.expiryMonth', 'card.expiryYear'] as const
const proofFields = ['threeDSecure.verificationId', 'threeDSecure.eci'] as const

const sentWallets = ({ structures }: Subject): readonly Wallet[] => wallets.filter((wallet) => structures.has(wallet))

/** Whether the merchant decrypted the token: the request has the wallet's source or a card number, and no token. */
const isDecrypted = ({ form }: Subject, wallet: Wallet): boolean =>
  !form.secrets.has(`${wallet}.paymentToken`) &&
  (form.values.has(`${wallet}.source`) || form.secrets.has('card.number'))

export const walletMode: Rule = {
  sentence: 'Each wallet has two modes. Encrypted mode: the service decrypts.',
  parameters: wallets.map((wallet) => `${wallet}.paymentToken` as const),
  accounts: ['new'],
  triggers: wallets,
  check: (subject) =>
    sentWallets(subject).flatMap((wallet): readonly Violation[] => {
      const name = `${wallet}.paymentToken` as const
      const isEncrypted = isSent(subject.form, name)
      if (isEncrypted && isSent(subject.form, 'card.number'))
        return [{ name, message: 'must not be sent with card.number' }]
      return isEncrypted || isDecrypted(subject, wallet) ? NO_VIOLATIONS : [{ name, message: EMPTY }]
    }),
}

export const walletCard: Rule = {
  sentence: 'Decrypted mode: the merchant sends card.number, card.expiryMonth, card.expiryYear and the source field.',
  parameters: [...cardFields, ...wallets.map((wallet) => `${wallet}.source` as const)],
  accounts: ['new'],
  triggers: wallets,
  check: (subject) =>
    sentWallets(subject)
      .filter((wallet) => isDecrypted(subject, wallet))
      .flatMap((wallet) => missing(subject.form, [...cardFields, `${wallet}.source`])),
}

/** The wallet of each of the wallets' brands. */
const walletOfBrand: ReadonlyMap<string, Wallet> = new Map(
  wallets.flatMap((wallet) => walletBrands[wallet].map((brand) => [brand, wallet] as const)),
)

export const walletSource: Rule = {
  sentence: 'walletA.source, walletB.source, walletC.source: R (decrypted mode).',
  parameters: wallets.map((wallet) => `${wallet}.source` as const),
  accounts: ['new'],
  triggers: ['card.number'],
  check({ form, structures }) {
    const wallet = walletOfBrand.get(form.values.get('paymentBrand') ?? '')
    // A terminal (`pos`) needs no source. If a structure of a wallet is sent, `walletCard` requires the source.
    if (wallet === undefined) return NO_VIOLATIONS
    if (structures.has('pos') || wallets.some((each) => structures.has(each))) return NO_VIOLATIONS
    return missing(form, [`${wallet}.source`])
  },
}

export const walletProof: Rule = {
  sentence: 'Decrypted mode: the merchant sends threeDSecure.verificationId, threeDSecure.eci.',
  parameters: proofFields,
  // Tokens that a phone did not sign have no cryptogram; older platforms accept them.
  strictOnly: true,
  accounts: ['new'],
  triggers: wallets,
  check: (subject) =>
    sentWallets(subject).some((wallet) => isDecrypted(subject, wallet))
      ? missing(subject.form, proofFields)
      : NO_VIOLATIONS,
}
