import type { TestGateway } from './test-gateway.ts'

/** A merchant besides that of the sandbox, under its own PSP, with one channel and one access token. */
export interface OtherMerchant {
  readonly psp: string
  readonly division: string
  readonly merchant: string
  readonly channel: string
  readonly token: string
}

/** Creates a merchant with one channel through the management API. */
export async function otherMerchant({ manage }: TestGateway, channelSettings: object = {}): Promise<OtherMerchant> {
  const create = async (kind: string, parentId?: string): Promise<string> => {
    const channelFields = kind === 'channel' ? { settings: channelSettings } : {}
    const { status, body } = await manage('POST', '/entities', {
      kind,
      name: `Other ${kind}`,
      parentId,
      ...channelFields,
    })
    if (status !== 201) throw new Error(`the ${kind} was not created: ${JSON.stringify(body)}`)
    return body.id
  }
  const psp = await create('psp')
  const division = await create('division', psp)
  const merchant = await create('merchant', division)
  const channel = await create('channel', merchant)
  const { body } = await manage('POST', '/tokens', { entityId: merchant })
  return { psp, division, merchant, channel, token: body.token }
}
