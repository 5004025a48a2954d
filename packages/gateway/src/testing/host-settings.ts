import { testHostProfile } from '@tollgate/connectors'

/** The settings of a connector to a host by ISO 8583 on this machine, with changes. */
export const hostSettings = (port: number, changes: object = {}) => ({
  addresses: [{ host: '127.0.0.1', port }],
  profile: testHostProfile,
  terminalIds: ['AC000001', 'AC000002'],
  ...changes,
})
