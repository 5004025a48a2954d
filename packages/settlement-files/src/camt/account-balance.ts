import { directionOf, signed, textOf } from './booked-entry.ts'
import { accountBalances } from './elements.ts'
import type { Value } from '../value-kinds.ts'
import type { Fail, Group } from './read-groups.ts'

/** The currency, the balances and the movements of the account of a message. */
export interface AccountBalance {
  checkCurrency(currency: Value | undefined, fail: Fail): void
  readBalance(group: Group, fail: Fail): void
  move(signedMinor: number, fail: Fail): void
  /** Checks that the opening balance and the movements are the closing balance. */
  check(fail: Fail): void
  facts(): {
    readonly currency?: string | undefined
    readonly openingMinor?: number | undefined
    readonly closingMinor?: number | undefined
    readonly closedOn?: string | undefined
  }
}

export function createAccountBalance(): AccountBalance {
  let currency: string | undefined
  let closedOn: string | undefined
  let movementMinor = 0
  const balances = new Map<'opening' | 'closing', number>()

  const checkCurrency = (found: Value | undefined, fail: Fail): void => {
    if (found === undefined) return
    currency ??= String(found)
    if (currency !== found) fail('CURRENCY', 'Amt')
  }

  return {
    checkCurrency,
    readBalance({ values }, fail) {
      const name = accountBalances.get(String(values['code']))
      if (name === undefined) return
      checkCurrency(values['currency'], fail)
      if (balances.has(name)) fail('REPEATED', 'Bal')
      balances.set(name, signed(Number(values['amountMinor']), directionOf(values) ?? 'CRDT'))
      if (name === 'closing') closedOn = textOf(values['day'] ?? values['dayOfTime'])
    },
    move(signedMinor, fail) {
      movementMinor += signedMinor
      if (!Number.isSafeInteger(movementMinor)) fail('TOTAL', 'Amt')
    },
    check(fail) {
      const opening = balances.get('opening') ?? fail('MISSING', 'OPBD')
      const closing = balances.get('closing') ?? fail('MISSING', 'CLBD')
      if (opening + movementMinor !== closing) fail('BALANCE', 'CLBD')
    },
    facts: () => ({
      ...(currency !== undefined && { currency }),
      ...(balances.size === 2 && { openingMinor: balances.get('opening'), closingMinor: balances.get('closing') }),
      closedOn,
    }),
  }
}
