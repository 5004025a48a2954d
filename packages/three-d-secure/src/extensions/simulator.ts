import { dataOf, type MessageExtension } from './message-extension.ts'

/** A proprietary extension, never critical, between the gateway of a test environment and the simulators. */
export const simulatorExtensionId = 'tollgate.simulator'

const extension = (data: MessageExtension['data']): MessageExtension => ({
  name: 'Tollgate simulator',
  id: simulatorExtensionId,
  criticalityIndicator: false,
  data,
})

/** A merchant's options for the simulated directory server, for any card. */
export interface SimulatorOptions {
  /** `customParameters[3DS2_enrolled]`: any card counts as enrolled, also a number that is not a test card. */
  readonly enrolled?: boolean | undefined
  /** `customParameters[3DS2_flow]`: replaces the flow of the card. */
  readonly flow?: 'challenge' | 'frictionless' | undefined
}

/** The options as an extension of an authentication request. */
export const simulatorOptions = ({ enrolled, flow }: SimulatorOptions): MessageExtension =>
  extension({ enrolled, flow })

/** The options of an authentication request; without the extension all options are undefined. */
export function readSimulatorOptions(extensions: readonly MessageExtension[] | undefined): SimulatorOptions {
  const { enrolled, flow } = dataOf(extensions, simulatorExtensionId) ?? {}
  return {
    enrolled: enrolled === true ? true : undefined,
    flow: flow === 'challenge' || flow === 'frictionless' ? flow : undefined,
  }
}

/**
 * The authenticated amount of a challenge. A results request has no field for it: in production only the issuer detects
 * a different amount, from the CAVV at authorisation. With this extension of the simulator the comparison takes place,
 * and can be tested, in every challenge of a test environment.
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

/** The authenticated amount of a results request, if it has one. */
export function readAuthenticatedAmount(
  extensions: readonly MessageExtension[] | undefined,
): AuthenticatedAmount | undefined {
  const { purchaseAmount, purchaseCurrency } = dataOf(extensions, simulatorExtensionId) ?? {}
  return typeof purchaseAmount === 'string' && typeof purchaseCurrency === 'string'
    ? { purchaseAmount, purchaseCurrency }
    : undefined
}
