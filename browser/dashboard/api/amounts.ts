/**
 * Sends the entered text unchanged: the API rejects thousands separators, whereas as a number 49.900 would become less
 * than fifty pesos. The generated types only allow numbers.
 */
export const asEntered = (text = ''): number => text as unknown as number;
