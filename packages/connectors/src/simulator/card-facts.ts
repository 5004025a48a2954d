import type { AcquirerRequest } from '../port.ts'

/** Brands whose cards are debit cards at the simulator; cards of all other brands are credit cards. */
const debitBrands: ReadonlySet<string> = new Set([
  'ALIADEBIT',
  'BCMC',
  'CABALDEBIT',
  'DANKORT',
  'MADA',
  'MAESTRO',
  'MASTERDEBIT',
  'TCARDDEBIT',
  'VISADEBIT',
  'VISAELECTRON',
  'VPAY',
])

/** The issuer of every card in the test environment. The telephone number is reserved for fiction. */
const issuer = {
  'issuer.bank': 'Tollgate Test Bank',
  'issuer.phone': '+442079460000',
  'issuer.website': 'https://bank.example',
} as const

const creditCard = { ...issuer, type: 'CREDIT', level: '0001', regulatedFlag: 'false' } as const
const debitCard = { ...issuer, type: 'DEBIT', level: '0001', regulatedFlag: 'true' } as const

/** Fields of a card by its brand, below `card.` (contract: Response fields, card.issuer, card.type). */
export function cardFacts(request: AcquirerRequest): Readonly<Record<string, string>> {
  const debit = debitBrands.has(request.brand)
  return debit ? debitCard : creditCard
}
