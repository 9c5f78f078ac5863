/** The table of results: every claimed ratio, its target and its verdict. */

export type Target = `≥ ${number}` | `≤ ${number}`;

export interface ResultRow {
  what: string;
  per_second: number;
  beside: string;
  ratio: number;
  /** Absent for a figure that is only reported. */
  target?: Target | undefined;
}

export type Verdict = 'met' | 'missed' | 'no target';

/** Compares the exact ratio, not the displayed one. A ratio that could not be measured misses its target. */
export function verdictOf({ ratio, target }: Pick<ResultRow, 'ratio' | 'target'>): Verdict {
  if (!target) return 'no target';
  const limit = Number(target.slice(2));
  return (target.startsWith('≥') ? ratio >= limit : ratio <= limit) ? 'met' : 'missed';
}

export const toTable = (rows: readonly ResultRow[]) =>
  rows.map(row => ({
    what: row.what,
    per_second: row.per_second,
    beside: row.beside,
    ratio: Number(row.ratio.toFixed(2)),
    target: row.target ?? '',
    verdict: verdictOf(row),
  }));
