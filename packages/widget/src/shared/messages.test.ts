import { describe, expect, test } from 'vitest'
import { isMessage, toFrame, toPage } from './messages.ts'

const connect = { kind: 'connect', pair: 'a', label: '', placeholder: '', brands: [], masked: false }

describe('a frame', () => {
  test.each([
    connect,
    { ...connect, brands: ['VISA'], more: 1 },
    { kind: 'style', scheme: 'normal', text: [['color', 'red']], placeholder: [] },
    { kind: 'focus' },
    { kind: 'submit', action: 'payment', parameters: [['card.holder', 'Jane']] },
  ])('accepts the message %j', (message) => expect(isMessage(toFrame, message)).toBe(true))

  test.each([
    undefined,
    null,
    'connect',
    [],
    {},
    { kind: 'read' },
    { kind: 'toString' },
    { kind: '__proto__' },
    { kind: ['focus'] },
    { ...connect, brands: 'VISA' },
    { ...connect, brands: [1] },
    { ...connect, masked: 'true' },
    { ...connect, pair: undefined },
    { kind: 'style', scheme: 'normal', text: [['color', 'red', '']], placeholder: [] },
    { kind: 'style', scheme: 'normal', text: { color: 'red' }, placeholder: [] },
    { kind: 'submit', action: 'payment', parameters: [['card.holder', 1]] },
    { kind: 'ready' },
  ])('ignores the message %j', (message) => expect(isMessage(toFrame, message)).toBe(false))
})

test('no message to the page has a member for digits', () => {
  const members = Object.values(toPage).flatMap((shape) => Object.keys(shape))
  expect(members).toEqual(['empty', 'full', 'error', 'brands', 'result'])
})
