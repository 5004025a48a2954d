import { describe, expect, it } from 'vitest'
import { type AReq, areqOf, challengeCard, creqOf, testIssuers } from '../testing/test-issuers.ts'

const issuers = testIssuers()

describe('the challenge page', () => {
  const challengeHtml = async (changes: Partial<AReq> = {}): Promise<string> => {
    const ares = await issuers().authenticate(areqOf(challengeCard, changes))
    return (await issuers().sendForm('/acs/challenge', { creq: creqOf(ares) })).body
  }

  it('shows merchant, amount and the last four digits of the card, escaped', async () => {
    const html = await challengeHtml()
    expect(html).toContain('<dd>Tea &amp; &lt;Cake&gt;</dd>')
    expect(html).toContain('€12.34')
    expect(html).toContain('•••• 0018')
    expect(html).not.toContain(challengeCard)
    expect(html).toContain('<label for="password">One-time password</label>')
  })

  it.each([
    ['de-DE', 'lang="de" dir="ltr"', 'Zahlung bestätigen', '12,34\u00a0€'],
    ['ar', 'lang="ar" dir="rtl"', 'تأكيد الدفع', ''],
    ['fi', 'lang="en" dir="ltr"', 'Confirm your payment', '€12.34'],
  ])('for the browser language %s has %s', async (browserLanguage, root, title, amount) => {
    const html = await challengeHtml({ browserLanguage })
    for (const part of [root, `<h1>${title}</h1>`, amount]) expect(html).toContain(part)
  })

  it('shows yen without decimals, and an unknown currency without its name', async () => {
    expect(await challengeHtml({ purchaseCurrency: '392', purchaseExponent: '0' })).toContain('¥1,234')
    expect(await challengeHtml({ purchaseCurrency: '000' })).toContain('<bdi>12.34</bdi>')
  })

  it('forbids inline scripts and styles by its policy; neither it nor the page after it contains any', async () => {
    const ares = await issuers().authenticate(areqOf(challengeCard))
    const reply = await issuers().sendForm('/acs/challenge', { creq: creqOf(ares) })
    expect(reply.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https: http:; base-uri 'none'; " +
        "frame-ancestors *; script-src 'self'",
    )
    const { acsTransID } = ares
    const forwardReply = await issuers().sendForm('/acs/answer', { acsTransID, cancel: '1' })
    for (const { body } of [reply, forwardReply]) expect(body).not.toMatch(/<style|style=|<script(?! src=)|\son\w+=/)
  })

  it('is followed by a page whose style sheet and script are served', async () => {
    for (const link of [/href="[^"]*(\/acs\/assets\/[^"]*)"/, /src="[^"]*(\/acs\/assets\/[^"]*)"/]) {
      const { acsTransID } = await issuers().openChallenge()
      const html = (await issuers().sendForm('/acs/answer', { acsTransID, cancel: '1' })).body
      const reply = await issuers().send(link.exec(html)?.[1] ?? '', '', 'GET')
      expect([reply.status, reply.body.length > 20]).toEqual([200, true])
    }
  })
})
