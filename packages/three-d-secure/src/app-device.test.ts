import { expect, it } from 'vitest'
import { readAppDevice } from './app-device.ts'

const id = 'c0ffee00-6c54-4b01-90e6-d701748f0852'
const device = {
  sdkTransID: id,
  sdkAppID: id,
  sdkReferenceNumber: 'SDK',
  sdkEphemPubKey: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  sdkEncData: 'eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d',
}
const text = JSON.stringify(device)

it.each([
  ['JSON', text],
  ['base64', Buffer.from(text).toString('base64')],
  ['base64url', Buffer.from(text).toString('base64url')],
  ['a key that is JSON in a string', JSON.stringify({ ...device, sdkEphemPubKey: '{"kty":"EC"}' })],
  ['an unknown member', JSON.stringify({ ...device, colour: 'red' })],
])('%s is read', (_name, sent) => {
  expect(readAppDevice(sent)?.fields).toMatchObject({
    sdkTransID: id,
    sdkMaxTimeout: '05',
    sdkEphemPubKey: { kty: 'EC' },
  })
  expect(readAppDevice(sent)?.fields).not.toHaveProperty('colour')
})

it('the app’s own render options and version replace the defaults', () => {
  const renderFields = { deviceRenderOptions: { sdkInterface: '01', sdkUiType: ['01'] }, sdkMaxTimeout: '15' }
  const read = readAppDevice(JSON.stringify({ ...device, ...renderFields, messageVersion: '2.1.0' }))
  expect(read).toMatchObject({ fields: renderFields, messageVersion: '2.1.0' })
})

it.each([
  '',
  'x',
  '[]',
  '{}',
  'null',
  '{"sdkTransID":',
  JSON.stringify({ ...device, sdkTransID: 'x' }),
  JSON.stringify({ ...device, sdkTransID: undefined }),
  JSON.stringify({ ...device, sdkEphemPubKey: 'no key' }),
  JSON.stringify({ ...device, sdkMaxTimeout: '01' }),
  `${text.slice(0, -1)},"sdkTransID":"${id}"}`,
  '{"a":'.repeat(1_000),
])('%s is refused', (sent) => expect(readAppDevice(sent)).toBeUndefined())
