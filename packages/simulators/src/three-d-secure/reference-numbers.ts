/** EMVCo assigns them to approved products; these are of none. */
export const acsReferenceNumber = 'TOLLGATE_SIMULATOR_ACS'
export const acsOperatorID = 'TOLLGATE-SIM-ACS'
export const dsReferenceNumber = 'TOLLGATE_SIMULATOR_DS'
