import { app, required, since220 } from '../field.ts'
import { codes, uuid } from '../format.ts'
import { header, ids } from './common.ts'

/** Results response, 3DS server to directory server to ACS. EMV 3-D Secure, table B.9. */
export const rres = {
  ...header,
  threeDSServerTransID: ids.server,
  acsTransID: ids.acs,
  dsTransID: ids.ds,
  sdkTransID: required(uuid, { ...app, ...since220 }),
  /** 01 received, 02 the challenge request was not sent, 03 the authentication response did not reach the requestor. */
  resultsStatus: required(codes('01', '02', '03')),
}
