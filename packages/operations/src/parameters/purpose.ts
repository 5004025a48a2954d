import type { RequestParameters } from '@tollgate/contract'

/** How a payment moves money of an account. */
export type OpeningType = 'PA' | 'DB' | 'CD'

/** What a request is to do with money, and by which brand. */
export interface Purpose {
  /** As sent: any text where the brand is told from a card number. */
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

/** Preauthorise and capture at once (PA.CP, older clients) is what a debit is, and so is a rebill. */
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
