import type { RequestParameters } from '@tollgate/contract'
import { authorisationCase } from '@tollgate/domain'

/** The parameters of the authorisation and capture of a payment, or of its chargeback. */
export function readCaptureParameters({ values }: RequestParameters) {
  const captures = values.get('numberOfCaptures')
  const isCardPresent = values.has('pos.entryMode')
  return {
    /** "sequence: value FINAL marks the last transaction for CP, RV, RF and similar." */
    final: values.get('sequence') === 'FINAL',
    numberOfCaptures: captures === undefined ? undefined : Number(captures),
    /** Whether a terminal read the card. */
    isCardPresent,
    /** Determines the validity period of an authorisation. */
    authorisationCase: authorisationCase({
      mcc: values.get('merchant.mcc'),
      source: values.get('standingInstruction.source'),
      isCardPresent,
    }),
    /** Whether the industry practice is INCREMENTAL_AUTH, with which a PA may refer to another PA to increase it. */
    incremental: values.get('standingInstruction.industryPractice') === 'INCREMENTAL_AUTH',
    chargebackReason: values.get('chargebackResultCode'),
  }
}
