import type { RequestParameters } from '@tollgate/contract'

/** The type of a tree's root. */
export type RootType = 'PA' | 'DB' | 'CD'

/** The type, brand and processing code of a payment. */
export function readPurpose(parameters: RequestParameters) {
  const { values } = parameters
  const sentType = values.get('paymentType')
  return {
    /** paymentBrand, as sent; it may be an unknown brand. */
    paymentBrand: values.get('paymentBrand'),
    /** paymentType, as sent. */
    sentType,
    /** The type of a new payment or a rebill; undefined: no paymentType was sent. Other follow-ups do not use it. */
    type: rootType(sentType),
    /** overridePaymentType[brand] of a checkout: for a payment with one of these brands, it replaces `type`. */
    typesByBrand: readTypesByBrand(parameters),
    processingCode: values.get('transactionProcessingCode'),
  }
}

/** PA.CP of older clients (preauthorisation and capture in one request) is a debit, and so is a rebill (RB). */
function rootType(sent: string | undefined): RootType | undefined {
  if (sent === undefined) return undefined
  return sent === 'PA' || sent === 'CD' ? sent : 'DB'
}

const noTypes: ReadonlyMap<string, RootType> = new Map()

function readTypesByBrand({ sent, values }: RequestParameters): ReadonlyMap<string, RootType> {
  let types: Map<string, RootType> | undefined
  for (const { name, structure, path } of sent) {
    if (structure !== 'overridePaymentType') continue
    const type = rootType(values.get(name))
    if (type) types = (types ?? new Map<string, RootType>()).set(String(path[1]), type)
  }
  return types ?? noTypes
}
