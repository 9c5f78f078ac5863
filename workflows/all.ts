/** Every workflow that the worker's bundle carries. */
export { expiry } from './expiry';
export { sweep } from './sweep';
