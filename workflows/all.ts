/** Every workflow that the worker's bundle carries. */
export { expiry } from './expiry';
export { subscription } from './subscription';
export { sweep } from './sweep';
export { delivery } from './delivery';
