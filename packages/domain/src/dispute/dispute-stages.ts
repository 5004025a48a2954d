/**
 * The stages of a dispute. inquiry: the issuer asks for documents, no money has moved. inquiryAnswered: documents were
 * sent. chargeback: the amount was taken back (CB). representment: the chargeback was contested with evidence.
 * preArbitration: the issuer charged back a second time, or announces arbitration. preArbitrationContested: the
 * acquirer contests, and the issuer decides. arbitration: the network decides. The other stages are ends: the money is
 * with the merchant (won), with the shopper (lost), was left to the shopper (accepted), or the period of an answer has
 * passed (expired).
 */
export const disputeStages = [
  'inquiry',
  'inquiryAnswered',
  'chargeback',
  'representment',
  'preArbitration',
  'preArbitrationContested',
  'arbitration',
  'won',
  'lost',
  'accepted',
  'expired',
] as const
export type DisputeStage = (typeof disputeStages)[number]

/** Whether a text is a stage of disputes. */
export const isDisputeStage = (text: string): text is DisputeStage => disputeStages.some((stage) => stage === text)

/** The party that has to act: the merchant (answerNeeded), the issuer or network (underReview), or none (closed). */
export const disputeStates = ['answerNeeded', 'underReview', 'closed'] as const
export type DisputeState = (typeof disputeStates)[number]

/**
 * The movements of money. chargeback: CB of a charge. secondChargeback: CB of a reversal. reversal: CR, after which no
 * amount is charged back. partialReversal: CR of a part.
 */
export type DisputeMovement = 'chargeback' | 'secondChargeback' | 'reversal' | 'partialReversal'

/**
 * The steps of operators, and the end of a period (expire). submit: sends the evidence. escalate: asks the network to
 * decide. accept: leaves the amount to the shopper. win, lose: the decision of issuer or network.
 */
export const disputeSteps = ['submit', 'escalate', 'accept', 'win', 'lose', 'expire'] as const
export type DisputeStep = (typeof disputeSteps)[number]

interface StageRow {
  readonly state: DisputeState
  /** The stage after each permitted step. */
  readonly steps: Readonly<Partial<Record<DisputeStep, DisputeStage>>>
}

const row = (state: DisputeState, steps: StageRow['steps'] = {}): StageRow => ({ state, steps })

/**
 * How the network lets a first chargeback be contested. collaboration: by representment, after which the issuer may
 * start pre-arbitration. allocation: liability was allocated by the network, and the acquirer starts pre-arbitration.
 */
export type DisputeFlow = 'collaboration' | 'allocation'

/** The table of stages and steps. Only the contested chargeback depends on the flow (`contested`). */
const table: Readonly<Record<DisputeStage, StageRow>> = {
  inquiry: row('answerNeeded', { submit: 'inquiryAnswered', accept: 'accepted', expire: 'expired' }),
  inquiryAnswered: row('underReview', { accept: 'accepted', win: 'won', lose: 'lost' }),
  chargeback: row('answerNeeded', {
    submit: 'representment',
    accept: 'accepted',
    win: 'won',
    lose: 'lost',
    expire: 'expired',
  }),
  representment: row('underReview', { accept: 'accepted', win: 'won', lose: 'lost' }),
  preArbitration: row('answerNeeded', {
    submit: 'preArbitrationContested',
    escalate: 'arbitration',
    accept: 'accepted',
    win: 'won',
    lose: 'lost',
    expire: 'expired',
  }),
  preArbitrationContested: row('underReview', {
    escalate: 'arbitration',
    accept: 'accepted',
    win: 'won',
    lose: 'lost',
  }),
  arbitration: row('underReview', { accept: 'accepted', win: 'won', lose: 'lost' }),
  won: row('closed'),
  lost: row('closed'),
  accepted: row('closed'),
  expired: row('closed'),
}

/** The stage in which a first chargeback is contested. */
const contested: Readonly<Record<DisputeFlow, DisputeStage>> = {
  collaboration: 'representment',
  allocation: 'preArbitrationContested',
}

/** Whether a dispute in a stage waits for an answer or a decision, or how it has ended. */
export const disputeStateOf = (stage: DisputeStage): DisputeState => table[stage].state

/** The stage after a step; undefined if the stage does not permit it. */
export function stageAfterStep(stage: DisputeStage, step: DisputeStep, flow: DisputeFlow): DisputeStage | undefined {
  return stage === 'chargeback' && step === 'submit' ? contested[flow] : table[stage].steps[step]
}

/** The steps that a stage permits, in the order of `disputeSteps`. */
export const stepsOf = (stage: DisputeStage): readonly DisputeStep[] =>
  disputeSteps.filter((step) => table[stage].steps[step] !== undefined)

/**
 * The stage after a movement of money, in every stage: whether a movement is legal, the tree of transactions decides.
 *
 * @param stage undefined: there is no dispute yet
 * @param isAnswerable whether the network has a period in which the new stage can be answered; if not, it is lost
 */
export function stageAfterMovement(
  stage: DisputeStage | undefined,
  movement: DisputeMovement,
  isAnswerable: (stage: 'chargeback' | 'preArbitration') => boolean,
): DisputeStage {
  switch (movement) {
    case 'chargeback':
      return isAnswerable('chargeback') ? 'chargeback' : 'lost'
    case 'secondChargeback':
      return isAnswerable('preArbitration') ? 'preArbitration' : 'lost'
    case 'reversal':
      return 'won'
    case 'partialReversal':
      return stage ?? 'chargeback'
  }
}
