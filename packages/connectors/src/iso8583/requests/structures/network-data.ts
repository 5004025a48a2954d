import { structure, type StructurePart } from './structure.ts'

/** Field 63: references and indicators for the acquirer and its network. */
export const networkData: readonly StructurePart[] = [
  structure('', 'R', [
    ['1', 'merchantTransactionId'],
    ['2', 'transactionLinkId'],
    ['3', 'transactionPurposeCode'],
    ['4', 'transactionBai'],
    ['5', 'transactionTti'],
  ]),
  structure('', 'K', [
    ['1', 'card.numberType'],
    ['2', 'tokenAccount.type'],
  ]),
  structure('', 'W', [
    ['1', 'walletA.source'],
    ['2', 'walletB.source'],
    ['3', 'walletC.source'],
    ['4', 'walletA.cardNetwork'],
    ['5', 'walletA.cardType'],
  ]),
]
