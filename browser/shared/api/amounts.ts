import { toApiAmount } from '../amounts';

/** The generated types only allow numbers, which would be floats; the API also takes text. */
export const apiAmount = (text: string): number => text as unknown as number;

/** The amount of a form field. */
export const asEntered = (text = ''): number => apiAmount(toApiAmount(text));
