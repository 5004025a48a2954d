import type { ParameterName, RequestParameters, Secret } from '@tollgate/contract'

/**
 * The changes that a request makes to a stored account, by structure (`card`, `bankAccount`, …). An update
 * refuses a structure of another kind than the account's with 700.100.400.
 */
export type AccountChanges = ReadonlyMap<string, StructureChanges>

export interface StructureChanges {
  /** The new number of the account. */
  readonly number: Secret | undefined
  /** The sent fields of the structure without its secrets, by field name, such as `holder`. */
  readonly fields: ReadonlyMap<string, string>
}

/** The structures of accounts, and the parameters with an account number in each. */
const structures: readonly (readonly [structure: string, numbers: readonly ParameterName[]])[] = [
  ['card', ['card.number']],
  ['bankAccount', ['bankAccount.iban', 'bankAccount.number']],
  ['virtualAccount', ['virtualAccount.accountId']],
  ['tokenAccount', ['tokenAccount.number']],
  ['giftCard', ['giftCard.number']],
  ['walletA', []],
  ['walletB', []],
  ['walletC', []],
  ['pos', []],
]

export function readAccountChanges(parameters: RequestParameters): AccountChanges {
  const { sent, values, secrets } = parameters
  const changes = new Map<string, StructureChanges>()
  for (const [name, numbers] of structures) {
    const parametersOfStructure = sent.filter(({ structure }) => structure === name)
    if (parametersOfStructure.length === 0) continue
    const number = numbers.find((parameter) => secrets.has(parameter))
    const fields = new Map<string, string>()
    for (const { name: parameter, path } of parametersOfStructure) {
      const value = values.get(parameter)
      if (path.length === 2 && value !== undefined) fields.set(String(path[1]), value)
    }
    changes.set(name, { number: number && secrets.get(number), fields })
  }
  return changes
}
