/**
 * An amount as it was typed. It goes to the API unchanged, which takes texts of digits and refuses those with separated
 * thousands: as a number, 49.900 would be less than fifty pesos. The types know amounts as what the API answers, which
 * are numbers.
 */
export const asTyped = (text = ''): number => text as unknown as number;
