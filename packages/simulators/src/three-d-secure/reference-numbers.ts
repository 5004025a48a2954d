/** EMVCo gives them to products that it approved; these name nobody. */
export const acsReferenceNumber = 'TOLLGATE_SIMULATOR_ACS'
export const acsOperatorID = 'TOLLGATE-SIM-ACS'
export const dsReferenceNumber = 'TOLLGATE_SIMULATOR_DS'
