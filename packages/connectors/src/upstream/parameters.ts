import { forwardedParameters } from './forwarded-parameters.ts'
import { keptParameters } from './kept-parameters.ts'
import { type ReplacedParameter, replacedParameters } from './replaced-parameters.ts'

/**
 * The treatment of a parameter in requests to an upstream gateway. forwarded: as the merchant sent it. replaced: with a
 * value of this gateway. kept: no request contains it.
 */
export type Treatment =
  | { readonly kind: 'forwarded' }
  | ({ readonly kind: 'replaced' } & ReplacedParameter)
  | { readonly kind: 'kept'; readonly reason: string }

/** Every parameter of a payment, by the name of its row, with its treatment. */
export const upstreamParameters: ReadonlyMap<string, Treatment> = new Map<string, Treatment>([
  ...forwardedParameters.map((name): [string, Treatment] => [name, { kind: 'forwarded' }]),
  ...replacedParameters.map(([name, replaced]): [string, Treatment] => [name, { kind: 'replaced', ...replaced }]),
  ...keptParameters.map(([name, reason]): [string, Treatment] => [name, { kind: 'kept', reason }]),
])
