/** Every workflow that the worker's bundle carries. */
export { sweep } from './sweep';
