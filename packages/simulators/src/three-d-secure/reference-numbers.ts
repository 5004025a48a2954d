/**
 * Numbers that EMVCo and directory servers assign to approved products. These are invented, because the simulator is
 * not approved.
 */
export const acsReferenceNumber = 'TOLLGATE_SIMULATOR_ACS'
export const acsOperatorID = 'TOLLGATE-SIM-ACS'
export const dsReferenceNumber = 'TOLLGATE_SIMULATOR_DS'
