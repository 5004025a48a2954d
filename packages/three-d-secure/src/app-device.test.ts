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
  ['JSON whose key is JSON in a string', JSON.stringify({ ...device, sdkEphemPubKey: '{"kty":"EC"}' })],
  ['JSON with an unknown member, which is left out', JSON.stringify({ ...device, colour: 'red' })],
])('the data of an app are read from %s', (_name, sent) => {
  expect(readAppDevice(sent)?.fields).toMatchObject({
    sdkTransID: id,
    sdkMaxTimeout: '05',
    sdkEphemPubKey: { kty: 'EC' },
  })
  expect(readAppDevice(sent)?.fields).not.toHaveProperty('colour')
})

it('the app’s own render options and timeout replace the defaults, and its version is read', () => {
  const renderFields = { deviceRenderOptions: { sdkInterface: '01', sdkUiType: ['01'] }, sdkMaxTimeout: '15' }
  const read = readAppDevice(JSON.stringify({ ...device, ...renderFields, messageVersion: '2.1.0' }))
  expect(read).toMatchObject({ fields: renderFields, messageVersion: '2.1.0' })
})

it.each([
  ['an empty text', ''],
  ['a text that is neither JSON nor base64 of JSON', 'x'],
  ['a list', '[]'],
  ['an object without fields', '{}'],
  ['null', 'null'],
  ['truncated JSON', '{"sdkTransID":'],
  ['a malformed id', JSON.stringify({ ...device, sdkTransID: 'x' })],
  ['a missing id', JSON.stringify({ ...device, sdkTransID: undefined })],
  ['a key that is not JSON', JSON.stringify({ ...device, sdkEphemPubKey: 'no key' })],
  ['a timeout below 5 minutes', JSON.stringify({ ...device, sdkMaxTimeout: '01' })],
  ['a duplicate id', `${text.slice(0, -1)},"sdkTransID":"${id}"}`],
  ['deep nesting', '{"a":'.repeat(1_000)],
])('the data of an app are refused: %s', (_name, sent) => expect(readAppDevice(sent)).toBeUndefined())
