import type { Scope } from './field.ts'
import type { MessageType } from './messages/message-type.ts'

/** A rule on several fields. */
interface Rule {
  /** The fields that are reported as invalid if the rule is violated. */
  readonly names: readonly string[]
  readonly holds: (scope: Scope) => boolean
}

const noRules: readonly Rule[] = []

/** Rules of each message. A violation is reported as an invalid value (203). */
export const rules: Readonly<Record<MessageType, readonly Rule[]>> = {
  PReq: noRules,
  PRes: noRules,
  AReq: [
    {
      // 3RI payments exist since version 2.2.0.
      names: ['messageCategory'],
      holds: ({ version, deviceChannel, messageCategory }) =>
        version !== '2.1.0' || deviceChannel !== '03' || messageCategory !== '01',
    },
  ],
  ARes: [
    {
      // Without a cardholder there is no challenge.
      names: ['transStatus'],
      holds: ({ deviceChannel, fields }) => deviceChannel !== '03' || fields['transStatus'] !== 'C',
    },
    {
      // "N is not valid if the transaction status is D"
      names: ['acsDecConInd'],
      holds: ({ fields }) => fields['transStatus'] !== 'D' || fields['acsDecConInd'] === 'Y',
    },
  ],
  CReq: noRules,
  CRes: [
    {
      // A browser receives the final response only.
      names: ['challengeCompletionInd'],
      holds: ({ deviceChannel, fields }) => deviceChannel !== '02' || fields['challengeCompletionInd'] === 'Y',
    },
  ],
  RReq: noRules,
  RRes: noRules,
  Erro: noRules,
}
