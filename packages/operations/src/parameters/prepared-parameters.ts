import { isTrue, parametersOf } from '@tollgate/contract'
import { readMandate } from './account.ts'
import { readMoney } from './money.ts'
import { readPurpose } from './purpose.ts'
import { readReferenceData } from './reference-data.ts'

/**
 * The parameters prepared by the merchant that the checkout itself reads. The request of its payment or registration
 * contains all prepared parameters.
 */
export type PreparedParameters = Readonly<ReturnType<typeof readPreparedParameters>>

/** @param stored parameters by canonical name */
export function readPreparedParameters(stored: Readonly<Record<string, string>>) {
  const parameters = parametersOf(stored)
  return {
    money: readMoney(parameters),
    purpose: readPurpose(parameters),
    shopperResultUrl: readReferenceData(parameters).shopperResultUrl,
    createRegistration: isTrue(parameters, 'createRegistration'),
    mandateId: readMandate(parameters)?.id,
  }
}
