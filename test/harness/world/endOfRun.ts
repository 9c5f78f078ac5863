/**
 * Functions that stop what this process has started, at the end of the run. Each returns the places of card data. A
 * separate module, so that Jest's main process, which runs no tests, does not load the modules that register here.
 */
export const stopAtTheEnd: (() => Promise<string[]>)[] = [];
