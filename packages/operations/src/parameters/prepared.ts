import { isTrue, parametersOf } from '@tollgate/contract'
import { readMandate } from './account.ts'
import { type Money, readMoney } from './money.ts'
import { type Purpose, readPurpose } from './purpose.ts'
import { readReferenceData } from './reference-data.ts'

/** What a merchant prepared, as far as the checkout itself uses it. */
export interface PreparedTerms {
  readonly money: Money
  readonly purpose: Purpose
  readonly shopperResultUrl: string | undefined
  readonly createRegistration: boolean
  readonly mandateId: string | undefined
}

/** @param stored by canonical names */
export function readPrepared(stored: Readonly<Record<string, string>>): PreparedTerms {
  const parameters = parametersOf(stored)
  return {
    money: readMoney(parameters),
    purpose: readPurpose(parameters),
    shopperResultUrl: readReferenceData(parameters).shopperResultUrl,
    createRegistration: isTrue(parameters, 'createRegistration'),
    mandateId: readMandate(parameters)?.id,
  }
}
