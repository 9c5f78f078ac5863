/** Exact centavos in 64 bits. The APIs accept and return pesos; nothing computes with floats. */
export type Money = bigint;

/** 9,999,999,999,999.99 pesos. */
export const MAX_MONEY: Money = 999_999_999_999_999n;

export const CENTAVOS_PER_PESO = 100n;

/** For amounts that are not negative. */
export const divideHalfUp = (numerator: Money, denominator: Money): Money =>
  (2n * numerator + denominator) / (2n * denominator);

/** Returns undefined if the text is not a number. Callers reject extra decimals (`exact` is false) and large amounts. */
export function parseMoney(text: string): { centavos: Money; exact: boolean } | undefined {
  const match = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, pesos = '', decimals = ''] = match;
  const centavos = BigInt(pesos) * 100n + BigInt(decimals.slice(0, 2).padEnd(2, '0'));
  return { centavos: sign ? -centavos : centavos, exact: /^0*$/.test(decimals.slice(2)) };
}

/** Pesos as a JSON number with at most two decimals, exact for amounts of up to 15 digits. */
export const formatMoney = (centavos: Money): number => Number(centavos) / 100;

/** Colombian format, `$ 1.234.567,50`; centavos are omitted if they are zero. */
export function displayMoney(centavos: Money): string {
  const pesos = String(centavos / 100n).replace(/\B(?=(\d{3})+$)/g, '.');
  const remainder = centavos % 100n;
  return `$\u00a0${pesos}${remainder === 0n ? '' : `,${String(remainder).padStart(2, '0')}`}`;
}
