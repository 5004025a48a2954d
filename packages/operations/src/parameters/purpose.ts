import type { RequestParameters } from '@tollgate/contract'

/** The type of a tree's root. */
export type RootType = 'PA' | 'DB' | 'CD'

/** The type and brand of a payment. */
export function readPurpose(parameters: RequestParameters) {
  const { values } = parameters
  const sentType = values.get('paymentType')
  return {
    /** As sent, so it may be an unknown brand. */
    paymentBrand: values.get('paymentBrand'),
    /** paymentType, as sent. */
    sentType,
    /** undefined: the request is not a payment. */
    type: rootType(sentType),
    /** overridePaymentType[brand] of a checkout: the types of single brands. */
    typeOfBrand: typesOfBrands(parameters),
    processingCode: values.get('transactionProcessingCode'),
  }
}

/** Preauthorisation and capture in one (PA.CP, older clients) is a debit, and so is a rebill. */
function rootType(sent: string | undefined): RootType | undefined {
  if (sent === undefined) return undefined
  return sent === 'PA' || sent === 'CD' ? sent : 'DB'
}

const none: ReadonlyMap<string, RootType> = new Map()

function typesOfBrands({ sent, values }: RequestParameters): ReadonlyMap<string, RootType> {
  let types: Map<string, RootType> | undefined
  for (const { name, structure, path } of sent) {
    if (structure !== 'overridePaymentType') continue
    const type = rootType(values.get(name))
    if (type) types = (types ?? new Map<string, RootType>()).set(String(path[1]), type)
  }
  return types ?? none
}
