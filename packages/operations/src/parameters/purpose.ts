import type { RequestParameters } from '@tollgate/contract'

/** How a payment moves money of an account. */
export type OpeningType = 'PA' | 'DB' | 'CD'

/** The type of payment, and its brand. */
export interface Purpose {
  /** As sent: any text if the brand follows from the card number. */
  readonly paymentBrand: string | undefined
  /** paymentType, as sent. */
  readonly sentType: string | undefined
  /** undefined where no money of an account is moved. */
  readonly type: OpeningType | undefined
  /** overridePaymentType[brand]: types of single brands, which a checkout may name. */
  readonly typeOfBrand: ReadonlyMap<string, OpeningType>
  readonly processingCode: string | undefined
}

export function readPurpose(parameters: RequestParameters): Purpose {
  const { values } = parameters
  const sentType = values.get('paymentType')
  return {
    paymentBrand: values.get('paymentBrand'),
    sentType,
    type: openingType(sentType),
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
