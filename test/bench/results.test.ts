/** The verdicts of the benchmark, and the table of scale in the documentation. */
import { readFileSync } from 'node:fs';
import { simulateRecovery } from '../../bench/recovery';
import { toTable, verdictOf } from '../../bench/results';
import { RECORDED, scaleTable } from '../../bench/scale';
import { fromRoot } from '../../src/platform/root';

it('reports a target as met or missed by the exact ratio', () => {
  expect(verdictOf({ ratio: 0.4, target: '≥ 0.4' })).toBe('met');
  expect(verdictOf({ ratio: 0.3999, target: '≥ 0.4' })).toBe('missed');
  expect(verdictOf({ ratio: 1.1, target: '≤ 1.1' })).toBe('met');
  expect(verdictOf({ ratio: 1.1001, target: '≤ 1.1' })).toBe('missed');
});

it('reports a target as missed if its ratio could not be measured', () => {
  expect(verdictOf({ ratio: NaN, target: '≤ 1.1' })).toBe('missed');
});

it('lists rows without a target', () => {
  const [row] = toTable([{ what: 'renewals', per_second: 30, beside: '', ratio: 1.234 }]);
  expect(row).toEqual({
    what: 'renewals',
    per_second: 30,
    beside: '',
    ratio: 1.23,
    target: '',
    verdict: 'no target',
  });
});

it('has the computed table of scale in docs/scale.md', () => {
  const lines = readFileSync(fromRoot('docs/scale.md'), 'utf8').split('\n');
  const documented = lines.map(line =>
    line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim()),
  );
  expect(documented).toEqual(expect.arrayContaining(scaleTable(RECORDED)));
});

it('simulates the same declines for every retry schedule, and the same payers in every run', () => {
  const recoveries = simulateRecovery(200);
  const [daily, paydays] = recoveries;
  expect(recoveries.map(({ schedule }) => schedule)).toEqual(['daily', 'paydays', '7,14,21']);
  expect(daily?.declined).toBeGreaterThan(20);
  expect(paydays?.declined).toBe(daily?.declined);
  for (const { rate, retries } of recoveries)
    expect([rate > 0, rate < 1, retries >= 1, retries <= 3]).not.toContain(false);
  expect(simulateRecovery(200)).toEqual(recoveries);
});

it('needs twice the cores for renewals that cost twice as much', () => {
  const coresOf = (temporalMs: number): string[] =>
    scaleTable({ ...RECORDED, temporalMs }).find(([need]) => need === "cores for Temporal's server") ?? [];
  expect(coresOf(10)[3]).toBe('13');
  expect(coresOf(20)[3]).toBe('26');
});
