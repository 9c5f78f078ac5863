/** Every workflow that the worker's bundle carries. */

export { delivery } from './delivery';
export { expiry } from './expiry';
export { subscription } from './subscription';
export { sweep } from './sweep';
