import { MINUTE_MS } from '@tollgate/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { sendPage } from '../http/page.ts'
import { choosePageLanguage, type PageLanguage } from '../http/page-language.ts'
import type { ByIdRequest } from '../http/server.ts'
import { limits } from '../limits.ts'
import type { Clock } from '../simulator.ts'
import type { Calls } from './calls.ts'
import { type Choice, choiceOf, isChoice } from './choices.ts'
import { notFoundPage, orderPage, statePage } from './pages.ts'
import type { BankPayment, BankPayments } from './payments.ts'
import { returnAddress } from './return-address.ts'

interface Dependencies {
  readonly payments: BankPayments
  readonly clock: Clock
  readonly calls: Calls
}

function languageFor({ url, headers }: ByIdRequest, payment?: BankPayment): PageLanguage {
  const chosen = new URLSearchParams(url.split('?')[1]).get('locale')
  return choosePageLanguage([chosen, payment?.order.locale], headers['accept-language'])
}

/** Parses a number of minutes; undefined if it is invalid. */
function parseMinutes(text: string | null): number | undefined {
  const minutes = /^[0-9]{1,5}$/.test(text ?? '') ? Number(text) : 0
  return minutes >= 1 && minutes <= limits.pendingMinutesMax ? minutes : undefined
}

/** Whether the shopper has not chosen yet. */
const isWaiting = ({ state, later }: BankPayment): boolean => state === 'open' && later === undefined

/**
 * Adds the pages for shoppers. The id in the address authorises the shopper to pay: it is random, and only the gateway
 * and the browser have it.
 */
export function shopperRoutes(server: FastifyInstance, { payments, clock, calls }: Dependencies): void {
  function show(request: ByIdRequest, reply: FastifyReply): FastifyReply {
    const payment = payments.find(request.params.id)
    const language = languageFor(request, payment)
    if (!payment) return sendPage(reply.code(404), notFoundPage(language))
    return sendPage(reply, isWaiting(payment) ? orderPage({ language, payment }) : statePage({ language, payment }))
  }

  function choose(request: ByIdRequest, reply: FastifyReply): FastifyReply {
    const payment = payments.find(request.params.id)
    const form = new URLSearchParams(request.body)
    const name = form.get('choice') ?? ''
    if (!payment || !isChoice(name)) return show(request, reply)
    const language = languageFor(request, payment)
    const { transition, later, returns }: Choice = choiceOf(name)
    const minutes = parseMinutes(form.get('minutes'))
    if (later && minutes === undefined)
      return sendPage(reply.code(400), orderPage({ language, payment, invalidChoice: name }))
    const laterTransition =
      later && minutes !== undefined
        ? { transition: later.transition, atMs: clock.now() + minutes * MINUTE_MS }
        : undefined
    const changed = isWaiting(payment) ? payments.transition(payment, transition, laterTransition) : 'wrongState'
    // The back button, a second tab or a double click does not change the first choice.
    if (typeof changed === 'string') return sendPage(reply.code(409), statePage({ language, payment, isTooLate: true }))
    if (returns === 'never') return sendPage(reply, statePage({ language, payment: changed, mayClose: true }))
    if (returns === 'twice') calls.add({ method: 'GET', url: returnAddress(changed) }, false)
    return reply.redirect(returnAddress(changed), 303)
  }

  server.get('/bank/:id', async (request: ByIdRequest, reply) => show(request, reply))
  server.post('/bank/:id', async (request: ByIdRequest, reply) => choose(request, reply))
}
