/**
 * What this process has started and must stop at the end of the run; each returns where card data was found. Kept apart
 * from what registers here, which Jest's main process would otherwise load although only its workers run tests.
 */
export const stopAtTheEnd: (() => Promise<string[]>)[] = [];
