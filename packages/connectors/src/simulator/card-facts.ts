import { brands, isBrand } from '@tollgate/contract'
import type { AcquirerRequest } from '../port.ts'

/** The issuer of every card in the test environment. The telephone number is reserved for fiction. */
const issuer = {
  'issuer.bank': 'Tollgate Test Bank',
  'issuer.phone': '+442079460000',
  'issuer.website': 'https://bank.example',
} as const

const creditCard = { ...issuer, type: 'CREDIT', level: '0001', regulatedFlag: 'false' } as const
const debitCard = { ...issuer, type: 'DEBIT', level: '0001', regulatedFlag: 'true' } as const

/** Fields of a card by its brand, below `card.` (contract: Response fields, card.issuer, card.type). */
export const cardFacts = ({ brand }: AcquirerRequest): Readonly<Record<string, string>> =>
  isBrand(brand) && brands[brand].method === 'DC' ? debitCard : creditCard
