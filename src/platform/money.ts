/** Pesos outside, exact centavos in 64 bits inside: never a float. */
export type Money = bigint;

/** Undefined when the text is no number at all; more than two decimals or beyond the limit are numbers that callers refuse by rule. */
export function parseMoney(text: string): { centavos: Money; exact: boolean } | undefined {
  const match = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, pesos = '', decimals = ''] = match;
  const centavos = BigInt(pesos) * 100n + BigInt(decimals.slice(0, 2).padEnd(2, '0'));
  return { centavos: sign ? -centavos : centavos, exact: /^0*$/.test(decimals.slice(2)) };
}

/** A JSON number with at most two decimals. Exact up to the 15 digits that amounts may have. */
export function formatMoney(centavos: Money): number {
  const size = centavos < 0n ? -centavos : centavos;
  const number = Number(`${size / 100n}.${String(size % 100n).padStart(2, '0')}`);
  return centavos < 0n ? -number : number;
}

/** As Colombians write it: `$ 1.234.567,50`, and centavos only where there are any. */
export function displayMoney(centavos: Money): string {
  const pesos = String(centavos / 100n).replace(/\B(?=(\d{3})+$)/g, '.');
  const rest = centavos % 100n;
  return `$\u00a0${pesos}${rest === 0n ? '' : `,${String(rest).padStart(2, '0')}`}`;
}
