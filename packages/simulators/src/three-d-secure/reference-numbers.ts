/** EMVCo assigns reference numbers to approved products. These numbers are not assigned. */
export const acsReferenceNumber = 'TOLLGATE_SIMULATOR_ACS'
export const acsOperatorID = 'TOLLGATE-SIM-ACS'
export const dsReferenceNumber = 'TOLLGATE_SIMULATOR_DS'
