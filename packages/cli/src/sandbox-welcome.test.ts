import { expect, test } from 'vitest'
import { sandboxWelcome } from './sandbox-welcome.ts'

const gateway = { publicUrl: 'http://127.0.0.1:1', manageUrl: 'http://127.0.0.1:2' }
const noServices = { shopUrl: undefined, simulatorUrl: undefined, acquirerAddress: undefined }

/** The line of the output that begins with a name. */
const lineOf = (name: string, services: Omit<Parameters<typeof sandboxWelcome>[0], 'gateway'>): string | undefined =>
  sandboxWelcome({ gateway, ...services }, 'key')
    .split('\n')
    .find((line) => line.trimStart().startsWith(name))

test.each([
  ['management API', noServices, '  management API      http://127.0.0.1:2/manage/v1   key key'],
  ['sample shop', { ...noServices, shopUrl: 'http://127.0.0.1:3' }, '  sample shop         http://127.0.0.1:3'],
  ['sample shop', noServices, '  sample shop         off'],
  ['banks and', { ...noServices, simulatorUrl: 'http://127.0.0.1:4' }, '  banks and wallets   http://127.0.0.1:4'],
  ['banks and', noServices, '  banks and wallets   off'],
  ['acquirer', { ...noServices, acquirerAddress: { host: '127.0.0.1', port: 5 } }, '  acquirer (ISO 8583) 127.0.0.1:5'],
  ['acquirer', { ...noServices, acquirerAddress: { host: '::1', port: 5 } }, '  acquirer (ISO 8583) [::1]:5'],
  ['acquirer', noServices, '  acquirer (ISO 8583) off'],
] as const)('the output of the start has the address of the %s with %j', (name, services, line) => {
  expect(lineOf(name, services)).toBe(line)
})
