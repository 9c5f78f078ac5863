/** The workflows in the worker's bundle. */

export { delivery } from './delivery';
export { expiry } from './expiry';
export { payout } from './payout';
export { planReplacement } from './planReplacement';
export { audit } from './schedules/audit';
export { sweep } from './schedules/sweep';
export { settlement } from './settlement';
export { subscription } from './subscription';
