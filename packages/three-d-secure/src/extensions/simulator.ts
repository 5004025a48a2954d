import { dataOf, type MessageExtension } from './message-extension.ts'

/** An extension of ours, never critical, between the gateway of a test environment and the simulators. */
export const simulatorExtensionId = 'tollgate.simulator'

const extension = (data: MessageExtension['data']): MessageExtension => ({
  name: 'Tollgate simulator',
  id: simulatorExtensionId,
  criticalityIndicator: false,
  data,
})

/** What a merchant asks of the simulated directory server, for any card. */
export interface SimulatorWish {
  /** `customParameters[3DS2_enrolled]`: a card that nobody published takes part. */
  readonly enrolled?: boolean | undefined
  /** `customParameters[3DS2_flow]`. */
  readonly flow?: 'challenge' | 'frictionless' | undefined
}

/** The wishes as an extension of an authentication request. */
export const simulatorWish = ({ enrolled, flow }: SimulatorWish): MessageExtension => extension({ enrolled, flow })

/** The wishes of an authentication request; none where there is no extension. */
export function readSimulatorWish(extensions: readonly MessageExtension[] | undefined): SimulatorWish {
  const { enrolled, flow } = dataOf(extensions, simulatorExtensionId) ?? {}
  return {
    enrolled: enrolled === true ? true : undefined,
    flow: flow === 'challenge' || flow === 'frictionless' ? flow : undefined,
  }
}

/**
 * The amount that a challenge was shown for. A results request has no field for it: in production only the issuer can
 * tell that another amount was authenticated, from the CAVV, at authorisation. The simulator says it aloud, so that the
 * comparison is made, and can be tested, in every challenge of a test environment.
 */
export interface AuthenticatedAmount {
  /** Minor units, as `purchaseAmount`. */
  readonly purchaseAmount: string
  /** ISO 4217, numeric. */
  readonly purchaseCurrency: string
}

/** The amount as an extension of a results request. */
export const authenticatedAmount = ({ purchaseAmount, purchaseCurrency }: AuthenticatedAmount): MessageExtension =>
  extension({ purchaseAmount, purchaseCurrency })

/** The amount that a results request says was authenticated, where it says so. */
export function readAuthenticatedAmount(
  extensions: readonly MessageExtension[] | undefined,
): AuthenticatedAmount | undefined {
  const { purchaseAmount, purchaseCurrency } = dataOf(extensions, simulatorExtensionId) ?? {}
  return typeof purchaseAmount === 'string' && typeof purchaseCurrency === 'string'
    ? { purchaseAmount, purchaseCurrency }
    : undefined
}
