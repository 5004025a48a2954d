import type { CutOff } from '@tollgate/domain'
import type { HeaderName } from '@tollgate/iso8583'

/**
 * The differences between acquirers, as data: one profile for each account at an acquirer. The messages are those of
 * the 1987 edition.
 */
export interface AcquirerProfile {
  /** `resultDetails.clearingInstituteName`. */
  readonly name: string
  readonly spec: 'ascii1987' | 'binary1987'
  readonly header: HeaderName
  /** The acquirer's id (field 32), and that of a forwarding institution (field 33) if there is one; up to 11 digits. */
  readonly acquirerId: string
  readonly forwarderId?: string | undefined
  /** The acquirer's country, ISO 3166-1 numeric (field 19). */
  readonly country: string
  /** The merchant's id at the acquirer (field 42), up to 15 characters. */
  readonly merchantId: string
  /** The merchant's category if a request has no `merchant.mcc` (field 18, ISO 18245). */
  readonly merchantCategory: string
  /** The merchant's name, city and country if a request has none (field 43). */
  readonly merchantName: string
  readonly merchantCity: string
  readonly merchantCountry: string
  /** The time zone of local times (fields 12 and 13). */
  readonly timeZone: string
  /**
   * What presents a captured payment to the issuer: a capture advice to the host (0220), or the clearing file. With
   * `file` a capture sends no message, so that no capture is presented twice.
   */
  readonly presentation: 'host' | 'file'
  /** The time of day, hh:mm in `timeZone`, at which the acquirer's business day ends. */
  readonly cutOff: string
}

/** The profile of the processor's test host, which takes payments with the test mode EXTERNAL. */
export const testHostProfile: AcquirerProfile = {
  name: 'Tollgate test host',
  spec: 'ascii1987',
  header: 'binary2',
  acquirerId: '400123',
  country: '276',
  merchantId: 'TOLLGATE0000001',
  merchantCategory: '5999',
  merchantName: 'TOLLGATE TEST',
  merchantCity: 'BERLIN',
  merchantCountry: 'DE',
  timeZone: 'UTC',
  presentation: 'host',
  cutOff: '00:00',
}

/** The cut-off of an account. */
export function cutOffOf({ cutOff, timeZone }: Pick<AcquirerProfile, 'cutOff' | 'timeZone'>): CutOff {
  const [hours = 0, minutes = 0] = cutOff.split(':').map(Number)
  return { minutes: hours * 60 + minutes, timeZone }
}
