import { sendTo, SHOP } from './wire.ts'

// This module sends the HTTP requests of a shopper's browser on 3-D Secure pages and on a bank's page.

const browser = {
  'customer.browser.language': 'en',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.screenColorDepth': '24',
}

/** The first group of the first match of an expression, unescaped. */
const firstGroup = (html: string, expression: RegExp): string =>
  (expression.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
const fieldOf = (html: string, name: string) => firstGroup(html, new RegExp(`name="${name}"[^>]*value="([^"]*)"`))
const actionOf = (html: string) => firstGroup(html, /<form[^>]*action="([^"]*)"/)

/**
 * Follows `redirect.url` of a card payment and enters the password if the issuer requests it.
 *
 * @returns the shop's URL at which the browser arrives
 */
export async function authenticate(url: string, password: string): Promise<string> {
  await sendTo('GET', url, {})
  const begin = { looked: 'Y', parameters: browser }
  const headers = { 'content-type': 'application/json' }
  const { text } = await sendTo('POST', `${url}/begin`, { body: JSON.stringify(begin), headers })
  const step: { next: string; url: string; creq?: string } = JSON.parse(text)
  if (step.next === 'over') return step.url
  const challenge = await sendTo('POST', step.url, { body: { creq: step.creq ?? '' } })
  const answer = { acsTransID: fieldOf(challenge.text, 'acsTransID'), password }
  const answerPage = await sendTo('POST', actionOf(challenge.text), { body: answer })
  const resultPage = await sendTo('POST', actionOf(answerPage.text), {
    body: { cres: fieldOf(answerPage.text, 'cres') },
  })
  return firstGroup(resultPage.text, /data-url="([^"]*)"/)
}

/** The redirects after the page of a bank: those of the gateway, and of the one behind it. */
const REDIRECTS_MAX = 2

/**
 * Follows `redirect.url` of a redirect method and presses "Pay".
 *
 * @returns the shop's URL at which the browser arrives
 */
export async function confirm(url: string): Promise<string> {
  const page = await sendTo('GET', url, {})
  const response = await sendTo('POST', new URL(actionOf(page.text), url).href, { body: { choice: 'pay' } })
  let location = response.headers.location ?? ''
  for (let redirects = 0; redirects < REDIRECTS_MAX && !location.startsWith(SHOP); redirects += 1) {
    location = (await sendTo('GET', location, {})).headers.location ?? ''
  }
  return location
}
