import { describe, expect, test } from 'vitest'
import { type ChoiceName, choiceNames } from './choices.ts'
import { order, times, testBank } from './testing/test-bank.ts'

const bank = testBank()

describe('a shopper', () => {
  const outcomes: Readonly<
    Record<
      ChoiceName,
      {
        readonly state: string
        readonly finalState?: string
        readonly isRedirected: boolean
        readonly secondReturns: number
      }
    >
  > = {
    pay: { state: 'paid', isRedirected: true, secondReturns: 0 },
    cancel: { state: 'cancelled', isRedirected: true, secondReturns: 0 },
    decline: { state: 'failed', isRedirected: true, secondReturns: 0 },
    payTwice: { state: 'paid', isRedirected: true, secondReturns: 1 },
    payAndStay: { state: 'paid', isRedirected: false, secondReturns: 0 },
    payLater: { state: 'pending', finalState: 'paid', isRedirected: true, secondReturns: 0 },
    failLater: { state: 'pending', finalState: 'failed', isRedirected: true, secondReturns: 0 },
    payTooLate: { state: 'open', finalState: 'paid', isRedirected: false, secondReturns: 0 },
  }

  test.each(choiceNames)('chooses %s, with the states, the redirect and the calls of this choice', async (choice) => {
    const { state, finalState = state, isRedirected, secondReturns } = outcomes[choice]
    const id = await bank().open()
    const answer = await bank().press(id, choice, '7')
    expect((await bank().getPayment(id)).state).toBe(state)
    const location = `${order.returnUrl}&state=${state}`
    expect([answer.status, answer.headers['location']]).toEqual(isRedirected ? [303, location] : [200, undefined])
    if (!isRedirected) expect(answer.body).not.toContain('gateway.example')
    expect(bank().calls.filter(({ method }) => method === 'GET')).toEqual(
      times(secondReturns, { method: 'GET', url: location }),
    )
    await bank().advance(6.9)
    expect((await bank().getPayment(id)).state).toBe(state)
    await bank().advance(0.2)
    expect((await bank().getPayment(id)).state).toBe(finalState)
    const notification = { method: 'POST', url: order.notificationUrl, body: JSON.stringify({ id }) }
    expect(bank().calls.filter(({ method }) => method === 'POST')).toEqual(
      times(finalState === state ? 1 : 2, notification),
    )
  })

  test.each(choiceNames)('cannot choose again after %s', async (choice) => {
    const id = await bank().open()
    await bank().press(id, choice, '60')
    const before = await bank().getPayment(id)
    const again = choice === 'cancel' ? 'pay' : 'cancel'
    const answer = await bank().press(id, again)
    expect([answer.status, await bank().getPayment(id)]).toEqual([409, before])
    expect(answer.body).toContain('role="alert"')
  })

  test.each(['', '0', '-1', '1.5', '1e3', '10081', 'x'])('cannot enter %j minutes', async (minutes) => {
    const id = await bank().open()
    const answer = await bank().press(id, 'payLater', minutes)
    expect([answer.status, (await bank().getPayment(id)).state]).toEqual([400, 'open'])
    expect(answer.body).toContain('Give a whole number of minutes from 1 to 10080.')
  })

  test('changes nothing with an unknown choice', async () => {
    const id = await bank().open()
    await bank().send('POST', `/bank/${id}`, 'choice=toString')
    await bank().send('POST', `/bank/${id}`, '')
    expect((await bank().getPayment(id)).state).toBe('open')
  })

  test('gets 404 for an unknown id', async () => {
    const paths = ['/bank/0', `/bank/${'f'.repeat(32)}`, '/bank/__proto__']
    const answers = await Promise.all(
      paths.flatMap((path) => [bank().get(path), bank().send('POST', path, 'choice=pay')]),
    )
    expect(answers.map(({ status }) => status)).toEqual(times(6, 404))
  })
})

describe('a page', () => {
  test('shows the merchant’s texts without interpreting them as markup', async () => {
    const id = await bank().open()
    const { status, headers, body } = await bank().get(`/bank/${id}`)
    expect(status).toBe(200)
    expect(body).toContain('Tea &amp; &lt;Company&gt;')
    expect(body).toContain('€92.00')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).not.toMatch(/<script|<style|\son\w+=|\sstyle=|javascript:/)
  })

  test.each([
    ['', 'de-AT,en;q=0.5', undefined, '<html lang="de" dir="ltr"'],
    ['', 'fr, ar;q=0.3', undefined, '<html lang="ar" dir="rtl"'],
    ['', undefined, 'ar-EG', '<html lang="ar" dir="rtl"'],
    ['?locale=de', 'ar', 'ar', '<html lang="de" dir="ltr"'],
    ['?locale=xx', undefined, undefined, '<html lang="en" dir="ltr"'],
  ])(
    'is in the language of the query %j, the browser %j or the payment %j',
    async (query, accepted, locale, expectedHtml) => {
      const id = await bank().open(locale === undefined ? {} : { locale })
      const { body } = await bank().send(
        'GET',
        `/bank/${id}${query}`,
        '',
        accepted === undefined ? {} : { 'accept-language': accepted },
      )
      expect(body).toContain(expectedHtml)
    },
  )

  test.each([
    ['IDEAL', 'bank'],
    ['PAYPAL', 'wallet'],
    ['OXXO', 'voucher'],
    ['KLARNA_PAYMENTS_PAYLATER', 'credit'],
  ])('of %s has the theme %s', async (brand, theme) => {
    const { body } = await bank().get(`/bank/${await bank().open({ brand })}`)
    expect(body).toContain(`class="${theme}"`)
  })

  test('has a style sheet that is cached by its digest', async () => {
    const { body } = await bank().get(`/bank/${await bank().open()}`)
    const path = /href="(\/bank\/assets\/style-[0-9a-f]{12}\.css)"/.exec(body)?.[1] ?? ''
    const style = await bank().get(path)
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    expect(style.headers['cache-control']).toContain('immutable')
  })
})
