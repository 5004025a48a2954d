import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { readConfig } from '@tollgate/gateway'
import { expect, test } from 'vitest'
import { startServices } from './start-services.ts'

test.each(['TOLLGATE_SIMULATOR_PORT', 'TOLLGATE_ACQUIRER_PORT'])('a port in use is reported with %s', async (name) => {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  try {
    const { port }: AddressInfo = Object(other.address())
    const config = readConfig({ PORT: '0', [name]: String(port) })
    await expect(startServices(config)).rejects.toThrow(`${port}: another process listens there; set ${name}`)
  } finally {
    other.close()
  }
})
