import { randomBytes } from 'node:crypto'
import { type LanguageCode, languages, widgetTexts } from '@tollgate/contract'
import { fieldPage, fieldPagePolicy } from '@tollgate/widget'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assets } from '../../assets.ts'
import type { Gateway } from '../../gateway.ts'
import { languageOf } from './language.ts'
import { withReporting } from './page-headers.ts'
import { HTML } from './plain-page.ts'
import { queryParameter } from './query-parameter.ts'

type AssetRequest = FastifyRequest<{ Params: { '*': string } }>

/** Browsers fetch the file again after five minutes, because a new version of the gateway has different files. */
const CACHE = 'public, max-age=300'

/** "GET {base_url}/v1/paymentWidgets.js?checkoutId=: the widget script." The script is the same for every checkout. */
export const widgetScript = (gateway: Gateway) => (request: FastifyRequest, reply: FastifyReply) =>
  send(gateway, 'paymentWidgets.js', request, reply)

/** Serves scripts, styles and logos for merchants' pages and the gateway's frames. */
export const assetFile = (gateway: Gateway) => (request: AssetRequest, reply: FastifyReply) =>
  send(gateway, request.params['*'], request, reply)

/** Whether the client accepts gzip. A quality of 0 (`gzip;q=0`) is not recognised, because no browser sends it. */
const acceptsGzip = ({ headers }: FastifyRequest): boolean => /\bgzip\b/.test(headers['accept-encoding'] ?? '')

function send({ assets }: Gateway, name: string, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const file = assets.find(name)
  if (!file) return reply.code(404).send()
  const isCompressed = acceptsGzip(request)
  if (isCompressed) void reply.header('content-encoding', 'gzip')
  return reply
    .headers({
      'cache-control': CACHE,
      vary: 'accept-encoding',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    .type(file.type)
    .send(isCompressed ? file.compressed() : file.body)
}

/** The address of an asset. It contains a digest, because a browser may have cached the file of another version. */
export const assetUrlOf = (assets: Assets, name: string): string =>
  `/pages/assets/${name}?${encodeURIComponent(assets.integrityOf(name).slice(-12))}`

/** Serves the frames of the card number and of the cvv. The merchant's page cannot read their content. */
export const fieldFrame =
  ({ assets }: Gateway, field: 'cardNumber' | 'cvv') =>
  (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64')
    const language = languageOf(queryParameter(request.url, 'lang'))
    const page = fieldPageWith(assets, field, language, nonce)
    return reply.header('content-security-policy', fieldPolicy(nonce)).type(HTML).send(page)
  }

export const fieldPolicy = (nonce: string): string => withReporting(fieldPagePolicy(nonce))

/** The page of a field. Only language and nonce differ between requests. */
export function fieldPageWith(
  assets: Assets,
  field: 'cardNumber' | 'cvv',
  language: LanguageCode,
  nonce: string,
): string {
  const { tag, direction } = languages[language]
  return fieldPage({
    nonce,
    scriptUrl: assetUrlOf(assets, 'frame.js'),
    scriptIntegrity: assets.integrityOf('frame.js'),
    styleUrl: assetUrlOf(assets, 'frame.css'),
    styleIntegrity: assets.integrityOf('frame.css'),
    lang: tag,
    dir: direction,
    title: widgetTexts[language][field],
  })
}
