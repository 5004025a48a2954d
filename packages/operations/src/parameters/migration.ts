import type { RequestParameters } from '@tollgate/contract'
import { hasStructure } from './has-structure.ts'

/** recurringMigration: the agreement of a new registration was made at another provider. */
export function readMigration(parameters: RequestParameters) {
  if (!hasStructure(parameters, 'recurringMigration')) return undefined
  const { values } = parameters
  const references = (['1', '2', '3'] as const).map((one) => values.get(`recurringMigration.connectorTxId${one}`))
  return {
    /** The type of the first payment. */
    paymentType: values.get('recurringMigration.paymentType'),
    /** "connectorTxId1, 2, 3: acquirer response details of the initial payment": the first sent one. */
    reference: references.find((reference) => reference !== undefined),
  }
}
