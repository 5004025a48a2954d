import type { AccountRow } from '@tollgate/storage'

/** The structures of a request that contain an account. */
export const accountKinds = ['card', 'bankAccount', 'virtualAccount', 'tokenAccount', 'giftCard'] as const

export type AccountKind = (typeof accountKinds)[number]

/** Whether a stored text is a kind of account. */
export const isAccountKind = (kind: string): kind is AccountKind => accountKinds.some((one) => one === kind)

/** Whether accounts of a kind belong to a card network. */
export const hasCardNetwork = (kind: AccountKind): boolean => kind === 'card' || kind === 'tokenAccount'

/** Fields of an account that answers show in its structure, in addition to the fields with columns. */
export interface AccountDetails {
  readonly [field: string]: string | AccountDetails | undefined
}

/** The parts of an account that may be stored unencrypted and displayed. */
export interface MaskedAccount {
  /** The first six digits of a card number. */
  readonly bin: string | null
  /** The last four characters of the sealed number. */
  readonly last4: string | null
  readonly holder: string | null
  readonly expiryMonth: string | null
  readonly expiryYear: string | null
  readonly details: AccountDetails
}

/** Creates a masked account. Omitted members are unknown or not shown. */
export const maskedAccount = ({
  bin = null,
  last4 = null,
  holder = null,
  expiryMonth = null,
  expiryYear = null,
  details = {},
}: { readonly [Name in keyof MaskedAccount]?: MaskedAccount[Name] | undefined }): MaskedAccount => ({
  bin,
  last4,
  holder,
  expiryMonth,
  expiryYear,
  details,
})

/** The acquirer's facts about an account, by field name without the structure (`card.`): type, level, issuer.bank, … */
type AccountFacts = Readonly<Record<string, string>>

/**
 * The structure of an account in an answer. Of the account number only the first six and last four digits are shown.
 */
export type AccountView = Readonly<Partial<Record<AccountKind, AccountDetails>>>

/** @param facts the facts of the acquirer's answer */
export function accountView(kind: AccountKind, masked: MaskedAccount, facts: AccountFacts = {}): AccountView {
  const { 'issuer.bank': bank, 'issuer.phone': phone, 'issuer.website': website } = facts
  const view: AccountDetails = {
    bin: masked.bin ?? undefined,
    last4Digits: masked.last4 ?? undefined,
    holder: masked.holder ?? undefined,
    expiryMonth: masked.expiryMonth ?? undefined,
    expiryYear: masked.expiryYear ?? undefined,
    issuer: bank === undefined && phone === undefined && website === undefined ? undefined : { bank, phone, website },
    type: facts.type,
    level: facts.level,
    regulatedFlag: facts.regulatedFlag,
    ...masked.details,
  }
  for (const field in view) if (view[field] !== undefined) return { [kind]: view }
  return {}
}

/** The structure of the account in a stored answer, with the facts of a later answer of the acquirer. */
export function accountViewWith(
  stored: Readonly<Record<string, unknown>>,
  facts: AccountFacts,
): Readonly<Record<string, object>> {
  const kind = accountKinds.find((name) => stored[name] !== undefined)
  if (kind === undefined) return {}
  const fields = Object.entries(accountView(kind, maskedAccount({}), facts)[kind] ?? {})
  const known = fields.filter(([, value]) => value !== undefined)
  return { [kind]: Object.assign({}, stored[kind], Object.fromEntries(known)) }
}

/** The masked account of a stored account. */
export function maskedAccountOf(row: AccountRow, details: AccountDetails): MaskedAccount {
  return {
    bin: row.bin,
    last4: row.last4,
    holder: row.holder,
    expiryMonth: row.expiry_month,
    expiryYear: row.expiry_year,
    details,
  }
}
