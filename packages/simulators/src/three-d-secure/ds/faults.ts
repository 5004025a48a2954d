import type { ThreeDSecureFault } from '@tollgate/connectors'
import { erroOf, fault, type Fields, writeMessage } from '@tollgate/three-d-secure'
import type { Session } from '../acs/sessions.ts'

/** The key of the fault `wrongProof`. It is not the key of the simulated issuers, so that its values are invalid. */
export const wrongKey: Uint8Array = new TextEncoder().encode('another key')

type Alteration = (ares: Uint8Array, session: Session) => Uint8Array | Promise<Uint8Array>

const unaltered: Alteration = (ares) => ares

/** The alteration of a finished authentication response by each fault. `unaltered`: the fault acts at another step. */
const alterations: Readonly<Record<ThreeDSecureFault, Alteration>> = {
  error: (_, session) => erro(session, '203', 'purchaseAmount'),
  timeout: (_, session) => erro(session, '402', 'the ACS did not answer in time'),
  malformed: (ares) => ares.subarray(0, ares.length / 2),
  silence: () => new Promise(() => {}),
  noDsTransId: (ares) => change(ares, withoutField('dsTransID')),
  otherTransaction: (ares, { dsTransID }) => change(ares, (fields) => ({ ...fields, threeDSServerTransID: dsTransID })),
  noProof: (ares) => change(ares, withoutField('authenticationValue')),
  wrongProof: unaltered,
  otherAmount: unaltered,
  noResult: unaltered,
  oldVersion: unaltered,
}

/** Applies the fault of a card to a finished response. */
export const applyFault = async (kind: ThreeDSecureFault, ares: Uint8Array, session: Session): Promise<Uint8Array> =>
  alterations[kind](ares, session)

/** The error message that answers an authentication request. */
export function erro(
  { areq, dsTransID }: Pick<Session, 'areq' | 'dsTransID'>,
  ...faultParameters: Parameters<typeof fault>
): Uint8Array {
  const { messageVersion, threeDSServerTransID } = areq
  const origin = { errorComponent: 'D', errorMessageType: 'AReq', messageVersion, threeDSServerTransID } as const
  return writeMessage('Erro', erroOf(fault(...faultParameters), { ...origin, dsTransID }))
}

const withoutField =
  (name: string) =>
  (fields: Fields): Fields =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))

function change(ares: Uint8Array, edit: (fields: Fields) => Fields): Uint8Array {
  const fields: Fields = JSON.parse(new TextDecoder().decode(ares))
  return new TextEncoder().encode(JSON.stringify(edit(fields)))
}
