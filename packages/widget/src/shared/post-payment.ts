import { authenticationPagesPath, type DeclineReason, type WidgetRedirect, type WidgetResult } from '@tollgate/contract'
import { limits } from '../limits.ts'
import type { Pair } from './parameters.ts'

/** The members that the form reads of an answer of `POST /v1/checkouts/{id}/payment` or `…/registration`. */
interface Answer {
  readonly result?: {
    readonly code?: string
    readonly description?: string
    readonly parameterErrors?: readonly { readonly name: string }[]
  }
  readonly declineReason?: DeclineReason
  readonly redirect?: {
    readonly url: string
    readonly method?: string
    readonly parameters?: WidgetRedirect['parameters']
  }
}

// Patterns of the result codes of approved payments, including those to be reviewed manually, and of pending payments.
// Deployed clients use the same patterns.
const DONE = /^(?:000\.000\.|000\.100\.1|000\.[36]|000\.400\.(?:[12]|0[^3]))/
const PENDING = /^(?:000\.200|800\.400\.5|100\.400\.500)/

/** The result if the answer was lost: the outcome is unknown. */
export const lostResult: WidgetResult = {
  kind: 'lost',
  code: undefined,
  description: undefined,
  reason: undefined,
  wrong: [],
  redirect: undefined,
}

/**
 * Maps an answer of the gateway to a result of the form.
 *
 * @param status HTTP status. After a server error the payment may still have been made
 * @param base the gateway's URL, without a trailing slash
 */
export function resultOf(status: number, answer: Answer, base: string): WidgetResult {
  const { result = {}, redirect, declineReason = status === 429 ? 'later' : undefined } = answer
  const { code = '', description, parameterErrors = [] } = result
  if (status >= 500 || code === '') return lostResult
  const failedKind = status === 404 ? 'gone' : 'refused'
  return {
    kind: DONE.test(code) ? 'done' : PENDING.test(code) ? 'pending' : failedKind,
    code,
    description,
    reason: declineReason,
    wrong: parameterErrors.map(({ name }) => name),
    redirect: redirect && redirectOf(redirect, base),
  }
}

function redirectOf({ url, method, parameters = [] }: NonNullable<Answer['redirect']>, base: string) {
  const defaultMethod = parameters.length > 0 ? 'POST' : 'GET'
  return {
    url,
    method: method === 'GET' || method === 'POST' ? method : defaultMethod,
    parameters,
    inFrame: url.startsWith(base + authenticationPagesPath),
  } as const
}

/**
 * Posts a payment or registration of a checkout, once and without retries: after a lost answer the caller polls the
 * state of the checkout.
 *
 * @param action `payment` or `registration`
 */
export async function postPayment(
  base: string,
  checkoutId: string,
  action: string,
  pairs: readonly Pair[],
): Promise<WidgetResult> {
  try {
    const response = await fetch(`${base}/v1/checkouts/${checkoutId}/${action}`, {
      method: 'POST',
      body: new URLSearchParams(pairs.map(([name, value]) => [name, value])),
      credentials: 'omit',
      signal: AbortSignal.timeout(limits.submitMs),
    })
    return resultOf(response.status, await response.json(), base)
  } catch {
    return lostResult
  }
}
