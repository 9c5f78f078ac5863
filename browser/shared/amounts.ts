/** Amounts in form fields, as Colombians write them: `.` for thousands and `,` for decimals. The API takes `49900.50`. */

/** Drops other characters, and decimals after the second. */
export function formatTyped(text: string): string {
  const [pesos = '', ...decimals] = text.replace(/[^\d,]/g, '').split(',');
  const grouped = pesos.replace(/^0+(?=\d)/, '').replace(/\B(?=(\d{3})+$)/g, '.');
  return decimals.length === 0 ? grouped : `${grouped || '0'},${decimals.join('').slice(0, 2)}`;
}

/** A whole amount may also have a decimal point, or commas between thousands: `49900.50`, `49,900` and `49,900.50`. */
export function formatWhole(text: string): string {
  const plain = text.replace(/[^\d.,]/g, '');
  const isEnglish = /^\d+\.\d{1,2}$|^\d{1,3}(,\d{3})+(\.\d{1,2})?$/.test(plain);
  return formatTyped(isEnglish ? plain.replaceAll(',', '').replace('.', ',') : plain);
}

export const toApiAmount = (text: string): string => text.replaceAll('.', '').replace(',', '.').replace(/\.$/, '');

/** With both decimals or none. Other texts are unchanged. */
export function fromApiAmount(amount: string): string {
  const [, pesos = '', decimals] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? [];
  if (!pesos) return amount;
  return formatTyped(decimals === undefined ? pesos : `${pesos},${decimals.padEnd(2, '0')}`);
}

const isSignificant = (character: string | undefined): boolean => character !== undefined && /[\d,]/.test(character);

/** The same place between the digits, after a text was formatted. */
export function caretAfter(before: string, caret: number, after: string): number {
  if (caret === before.length) return after.length;
  let left = [...before.slice(0, caret)].filter(isSignificant).length;
  let at = 0;
  for (; left > 0 && at < after.length; at++) if (isSignificant(after[at])) left--;
  return at;
}
