import { isCurrency } from '@tollgate/contract'
import {
  type AccountTraits,
  assessRisk,
  chooseRules,
  type CountedTrait,
  countriesOf,
  type EarlierPayment,
  readIban,
  type Refused,
  riskAmount,
  type RiskAssessment,
  traitsOf,
} from '@tollgate/domain'
import type { VelocityRow } from '@tollgate/storage'
import { fingerprintText } from '../fingerprint.ts'
import type { Context } from '../context.ts'
import { narrow } from '../narrow.ts'
import type { PreparedRules } from '../directory/risk-rules.ts'
import { uncheckedParameters } from './unchecked-parameters.ts'
import type { RiskSubject } from './risk-subject.ts'

/** The result of a risk check. */
export interface RiskCheck extends RiskAssessment {
  readonly kind: 'checked'
  readonly brand: string | undefined
  /** Parameters that could not be checked. */
  readonly notChecked: readonly string[]
  /** The entries of this payment, which later checks count. */
  readonly entries: readonly VelocityRow[]
  /** Called if the payment is not stored, so that later checks do not count the entries. */
  readonly removeEntries: () => void
}

/** Checks a subject against the rules. Entries of earlier subjects are read only for the traits that a rule counts. */
export async function checkRisk(
  context: Context,
  { needs, ...choice }: PreparedRules,
  subject: RiskSubject,
): Promise<RiskCheck | Refused> {
  const { request, currency } = subject
  const { risk, parameters, atMs } = request
  const { values } = parameters
  const amount = riskAmount(risk.amount, currency, subject.amountMinor)
  if (amount.kind === 'refused') return amount
  const rules = chooseRules(choice, risk)
  if ('code' in rules) return rules
  const account = accountTraits(context, needs.fingerprint, subject)
  const traits = traitsOf(values, account)
  const counted = Array.from(needs.windowsMs).flatMap(([by, withinMs]) =>
    (traits.get(by) ?? []).map((value) => ({ by, withinMs, entry: entryOf(subject, `${by}|${value}`) })),
  )
  const earlier = new Map<CountedTrait, Map<string, EarlierPayment>>()
  for (const by of needs.windowsMs.keys()) earlier.set(by, new Map())
  // The entries of all traits are added synchronously, so that two concurrent payments have the same order under every
  // counter.
  await Promise.all(
    counted.map(async ({ by, withinMs, entry }) => {
      const rows = await context.rates.velocity.add(entry, atMs - withinMs)
      // Payments are keyed by id, because a payment may be counted under two fingerprints of its card.
      for (const row of rows) earlier.get(by)?.set(row.id, earlierPayment(row))
    }),
  )
  const assessment = assessRisk(rules, {
    amountMinor: amount.amountMinor,
    currency,
    traits,
    countries: countriesOf(values, account),
    earlier: new Map(Array.from(earlier, ([by, payments]) => [by, [...payments.values()]])),
    orderedAtMs: risk.orderedAtMs ?? atMs,
    atMs,
  })
  const entries = counted.map(({ entry }) => entry)
  return {
    kind: 'checked',
    brand: subject.account.brand,
    ...assessment,
    notChecked: uncheckedParameters(subject),
    entries,
    removeEntries: () => context.rates.velocity.remove(entries),
  }
}

function accountTraits(
  { vault }: Context,
  needsFingerprint: boolean,
  { request, account: { kind, brand, number, masked } }: RiskSubject,
): AccountTraits {
  const storedCountry = masked?.details['country']
  const countryOfIban = () => (kind === 'bankAccount' ? number?.use(readIban)?.country : undefined)
  return {
    fingerprints: needsFingerprint && number ? vault.fingerprints(number).map(fingerprintText) : [],
    brand,
    bin: masked?.bin ?? undefined,
    country: request.risk.bankCountry ?? (typeof storedCountry === 'string' ? storedCountry : countryOfIban()),
  }
}

const entryOf = (
  { request, id, merchant, counterKind, amountMinor, currency }: RiskSubject,
  trait: string,
): VelocityRow => ({
  counter: `${counterKind}|${trait}`,
  merchant,
  created_at_ms: request.atMs,
  id,
  amount_minor: amountMinor,
  currency,
})

const earlierPayment = ({ amount_minor, currency, created_at_ms }: VelocityRow): EarlierPayment => ({
  amountMinor: amount_minor,
  currency: narrow(isCurrency, currency),
  atMs: created_at_ms,
})
