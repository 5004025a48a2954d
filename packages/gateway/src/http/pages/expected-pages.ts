import { createHash } from 'node:crypto'
import type { Assets } from '../../assets.ts'
import type { ExpectedPage, FetchedPage } from '../../page-integrity/watch-pages.ts'
import { pageHeaders } from './page-headers.ts'
import { fieldPageWith, fieldPolicy } from './widget-files.ts'

/**
 * The payment pages as they must be served. Scripts and styles are compared with the digests of the build, frames of
 * fields with their template, and the page of an unknown session must contain no script.
 */
export function expectedPages(assets: Assets): readonly ExpectedPage[] {
  const files = [...assets.integrityAtBuild].filter(([name]) => /\.(?:js|css)$/.test(name))
  const file = (path: string, integrity: string): ExpectedPage => ({
    path,
    status: 200,
    expectedHeadersOf: () => ({ 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' }),
    isExpectedBody: ({ body }) => `sha384-${createHash('sha384').update(body).digest('base64')}` === integrity,
  })
  const field = (path: string, name: 'cardNumber' | 'cvv'): ExpectedPage => ({
    path,
    status: 200,
    expectedHeadersOf: (fetched) => ({ ...pageHeaders, 'content-security-policy': fieldPolicy(nonceOf(fetched)) }),
    isExpectedBody: (fetched) => fetched.body.toString('utf8') === fieldPageWith(assets, name, 'en', nonceOf(fetched)),
  })
  const notFound: ExpectedPage = {
    path: '/pages/return/0',
    status: 404,
    expectedHeadersOf: () => pageHeaders,
    isExpectedBody: ({ body }) => !body.toString('utf8').includes('<script'),
  }
  return [
    ...files.map(([name, integrity]) => file(`/pages/assets/${name}`, integrity)),
    file('/v1/paymentWidgets.js', assets.integrityAtBuild.get('paymentWidgets.js') ?? ''),
    field('/pages/fields/number', 'cardNumber'),
    field('/pages/fields/cvv', 'cvv'),
    notFound,
  ]
}

const nonceOf = ({ body }: FetchedPage): string => /nonce="([A-Za-z0-9+/=]{24})"/.exec(body.toString('utf8'))?.[1] ?? ''
