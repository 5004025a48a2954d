import type { RequestParameters } from '@tollgate/contract'
import { type AuthorisationCase, authorisationCase } from '@tollgate/domain'

/** The parameters of the authorisation and capture of a payment, or of its chargeback. */
export interface CaptureTerms {
  /** "sequence: value FINAL marks the last transaction for CP, RV, RF and similar." */
  readonly final: boolean
  readonly numberOfCaptures: number | undefined
  /** pos.entryMode: a terminal has read the card. */
  readonly cardPresent: boolean
  /** Decides how long an authorisation is valid. */
  readonly authorisationCase: AuthorisationCase
  /** standingInstruction.industryPractice INCREMENTAL_AUTH: a PA that refers to another one. */
  readonly incremental: boolean
  /** chargebackResultCode. */
  readonly chargebackReason: string | undefined
}

export function readCaptureTerms({ values }: RequestParameters): CaptureTerms {
  const captures = values.get('numberOfCaptures')
  const cardPresent = values.has('pos.entryMode')
  return {
    final: values.get('sequence') === 'FINAL',
    numberOfCaptures: captures === undefined ? undefined : Number(captures),
    cardPresent,
    authorisationCase: authorisationCase({
      mcc: values.get('merchant.mcc'),
      source: values.get('standingInstruction.source'),
      cardPresent,
    }),
    incremental: values.get('standingInstruction.industryPractice') === 'INCREMENTAL_AUTH',
    chargebackReason: values.get('chargebackResultCode'),
  }
}
