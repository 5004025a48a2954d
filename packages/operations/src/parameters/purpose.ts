import type { RequestParameters } from '@tollgate/contract'

/** How a payment moves money of an account. */
export type OpeningType = 'PA' | 'DB' | 'CD'

/** The type of payment, and its brand. */
export function readPurpose(parameters: RequestParameters) {
  const { values } = parameters
  const sentType = values.get('paymentType')
  return {
    /** As sent: any text if the brand follows from the card number. */
    paymentBrand: values.get('paymentBrand'),
    /** paymentType, as sent. */
    sentType,
    /** undefined where no money of an account is moved. */
    type: openingType(sentType),
    /** overridePaymentType[brand]: types of single brands, which a checkout may name. */
    typeOfBrand: typesOfBrands(parameters),
    processingCode: values.get('transactionProcessingCode'),
  }
}

/** Preauthorisation and capture in one (PA.CP, older clients) is a debit, and so is a rebill. */
function openingType(sent: string | undefined): OpeningType | undefined {
  if (sent === undefined) return undefined
  return sent === 'PA' || sent === 'CD' ? sent : 'DB'
}

const none: ReadonlyMap<string, OpeningType> = new Map()

function typesOfBrands({ sent, values }: RequestParameters): ReadonlyMap<string, OpeningType> {
  let types: Map<string, OpeningType> | undefined
  for (const { name, structure, path } of sent) {
    if (structure !== 'overridePaymentType') continue
    const type = openingType(values.get(name))
    if (type) types = (types ?? new Map<string, OpeningType>()).set(String(path[1]), type)
  }
  return types ?? none
}
