/** The kinds of evidence, in the order in which they are listed. */
export const evidenceKinds = [
  'receipt',
  'proofOfDelivery',
  'serviceDescription',
  'correspondence',
  'terms',
  'cancellation',
  'refundProof',
  'authorisation',
  'authentication',
  'cardholderProof',
  'other',
] as const
export type EvidenceKind = (typeof evidenceKinds)[number]

/** Whether a text is a kind of evidence. */
export const isEvidenceKind = (text: string): text is EvidenceKind => evidenceKinds.some((kind) => kind === text)

const fraud: readonly EvidenceKind[] = ['authentication', 'cardholderProof', 'proofOfDelivery', 'receipt']
const authorisation: readonly EvidenceKind[] = ['authorisation', 'receipt']
const error: readonly EvidenceKind[] = ['receipt', 'correspondence']

/** The evidence that answers a chargeback, by its result code; other reasons: `receipt` and `correspondence`. */
const wanted: Readonly<Record<string, readonly EvidenceKind[]>> = {
  '000.100.204': ['terms', 'correspondence'],
  '000.100.205': ['terms', 'cancellation', 'correspondence'],
  '000.100.210': error,
  '000.100.220': fraud,
  '000.100.221': ['proofOfDelivery', 'receipt', 'correspondence'],
  '000.100.222': fraud,
  '000.100.223': ['serviceDescription', 'terms', 'proofOfDelivery', 'correspondence'],
  '000.100.224': ['receipt', 'refundProof', 'correspondence'],
  '000.100.225': ['refundProof', 'terms', 'cancellation', 'correspondence'],
  '000.100.226': authorisation,
  '000.100.230': authorisation,
  '000.100.232': fraud,
}

/** The kinds of evidence that answer a chargeback with a result code. */
export const evidenceFor = (resultCode: string | undefined): readonly EvidenceKind[] =>
  wanted[resultCode ?? ''] ?? error
