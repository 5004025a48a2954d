/** The owner of an account: the account exists once for each merchant, for each acquirer, or once. */
export type AccountOwner = 'merchant' | 'acquirer' | 'operator'

/** A class of accounts. memo: authorised holds, which are no claims; off the balance. */
export type AccountClass = 'asset' | 'liability' | 'income' | 'expense' | 'memo'

interface Account {
  readonly class: AccountClass
  readonly owner: AccountOwner
  readonly meaning: string
}

/** The accounts of the ledger. Each exists for each currency. */
const declared = {
  acquirerReceivable: account('asset', 'acquirer', 'owed by the acquirer for captured transactions'),
  merchantPending: account('liability', 'merchant', 'owed to the merchant, before the value date'),
  merchantAvailable: account('liability', 'merchant', 'owed to the merchant, payable'),
  merchantReserve: account('liability', 'merchant', 'owed to the merchant, withheld for a time as a security'),
  payoutTransit: account('liability', 'merchant', 'payouts that the bank has not confirmed yet'),
  refundTransit: account('liability', 'merchant', 'refunds that the acquirer has not deducted yet'),
  bank: account('asset', 'operator', 'the bank accounts of the operator'),
  suspenseUnmatched: account('liability', 'acquirer', 'settled rows and bank entries that nothing explains'),
  feeIncome: account('income', 'operator', 'fees of merchants'),
  acquirerFee: account('expense', 'acquirer', 'fees of acquirers'),
  bankCharges: account('expense', 'operator', 'charges of banks'),
  fxClearing: account('asset', 'operator', 'amounts that an acquirer has converted into another currency'),
  fxDifference: account('expense', 'operator', 'settled amounts that differ from those at the stated rate'),
  authorisationHold: account('memo', 'merchant', 'amounts held on the accounts of shoppers'),
  authorisationContra: account('memo', 'merchant', 'the counterpart of the holds'),
}

function account(accountClass: AccountClass, owner: AccountOwner, meaning: string): Account {
  return { class: accountClass, owner, meaning }
}

export type AccountName = keyof typeof declared

export const accounts: Readonly<Record<AccountName, Account>> = declared
