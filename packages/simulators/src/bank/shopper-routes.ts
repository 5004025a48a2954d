import { MINUTE_MS } from '@tollgate/contract'
import { page, seeOther } from '../http/answers.ts'
import type { Clock, SimulatorResponse } from '../http/exchange.ts'
import { chooseLanguage, type PageLanguage } from '../http/page-language.ts'
import type { Call, Route } from '../http/routes.ts'
import { limits } from '../limits.ts'
import type { Calls } from './calls.ts'
import { type Choice, choiceOf, isChoice } from './choices.ts'
import { lostPage, orderPage, statePage } from './pages.ts'
import type { BankPayment, BankPayments } from './payments.ts'
import { returnAddress } from './return-address.ts'

interface Parts {
  readonly payments: BankPayments
  readonly clock: Clock
  readonly calls: Calls
}

const languageFor = ({ query, headers }: Call, payment?: BankPayment): PageLanguage =>
  chooseLanguage([query.get('locale'), payment?.order.locale], headers['accept-language'])

/** undefined: no number of minutes that can be waited for. */
function minutesIn(text: string | null): number | undefined {
  const minutes = /^[0-9]{1,5}$/.test(text ?? '') ? Number(text) : 0
  return minutes >= 1 && minutes <= limits.pendingMinutesMax ? minutes : undefined
}

/** Whether the shopper has still to choose. */
const isWaiting = ({ state, later }: BankPayment): boolean => state === 'open' && later === undefined

/** What a shopper sees. Whoever has the id may pay: it is drawn at random, and only gateway and browser are told. */
export function shopperRoutes({ payments, clock, calls }: Parts): readonly Route[] {
  const lost = (call: Call) => page(404, lostPage(languageFor(call)))

  function show(call: Call): SimulatorResponse {
    const payment = payments.find(call.id)
    if (!payment) return lost(call)
    const language = languageFor(call, payment)
    return page(200, isWaiting(payment) ? orderPage({ language, payment }) : statePage({ language, payment }))
  }

  function choose(call: Call): SimulatorResponse {
    const payment = payments.find(call.id)
    if (!payment) return lost(call)
    const language = languageFor(call, payment)
    const form = new URLSearchParams(call.body)
    const name = form.get('choice') ?? ''
    if (!isChoice(name)) return show(call)
    const { move, later, returns }: Choice = choiceOf(name)
    const minutes = minutesIn(form.get('minutes'))
    if (later && minutes === undefined) return page(400, orderPage({ language, payment, wrong: name }))
    const then = later && minutes !== undefined && { move: later.move, atMs: clock.now() + minutes * MINUTE_MS }
    const moved = isWaiting(payment) ? payments.move(payment, move, then || undefined) : 'wrongState'
    // The back button, a second tab, a double click: what was chosen first holds.
    if (typeof moved === 'string') return page(409, statePage({ language, payment, isTooLate: true }))
    if (returns === 'never') return page(200, statePage({ language, payment: moved, mayClose: true }))
    if (returns === 'twice') calls.add({ method: 'GET', url: returnAddress(moved) }, false)
    return seeOther(returnAddress(moved))
  }

  return [
    { method: 'GET', path: '/bank/:id', answer: show },
    { method: 'POST', path: '/bank/:id', answer: choose },
  ]
}
