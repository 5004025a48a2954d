import type { Scope } from './field.ts'
import type { MessageType } from './messages/message-type.ts'

/** What no field can be told of by itself. */
interface Rule {
  /** The fields that are named where it does not hold. */
  readonly names: readonly string[]
  readonly holds: (scope: Scope) => boolean
}

const none: readonly Rule[] = []

/** Fields that must go together. A breach is an invalid value (203). */
export const rules: Readonly<Record<MessageType, readonly Rule[]>> = {
  PReq: none,
  PRes: none,
  AReq: [
    {
      // 3RI payments came with 2.2.0.
      names: ['messageCategory'],
      holds: ({ version, deviceChannel, messageCategory }) =>
        version !== '2.1.0' || deviceChannel !== '03' || messageCategory !== '01',
    },
  ],
  ARes: [
    {
      // There is nobody to challenge.
      names: ['transStatus'],
      holds: ({ deviceChannel, fields }) => deviceChannel !== '03' || fields['transStatus'] !== 'C',
    },
    {
      // "N is not valid if the transaction status is D"
      names: ['acsDecConInd'],
      holds: ({ fields }) => fields['transStatus'] !== 'D' || fields['acsDecConInd'] === 'Y',
    },
  ],
  CReq: none,
  CRes: [
    {
      // The one answer that a browser gets is the final one.
      names: ['challengeCompletionInd'],
      holds: ({ deviceChannel, fields }) => deviceChannel !== '02' || fields['challengeCompletionInd'] === 'Y',
    },
  ],
  RReq: none,
  RRes: none,
  Erro: none,
}
