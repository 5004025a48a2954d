import type { RequestParameters } from '@tollgate/contract'
import { hasStructure } from './has-structure.ts'

/** The migration of an agreement that was made at another provider. @returns undefined if none was sent */
export function readMigration(parameters: RequestParameters) {
  if (!hasStructure(parameters, 'recurringMigration')) return undefined
  const { values } = parameters
  const references = (['1', '2', '3'] as const).map((number) => values.get(`recurringMigration.connectorTxId${number}`))
  return {
    /** The type of the first payment. */
    paymentType: values.get('recurringMigration.paymentType'),
    /** "connectorTxId1, 2, 3: acquirer response details of the initial payment": the first value that was sent. */
    reference: references.find((reference) => reference !== undefined),
  }
}
