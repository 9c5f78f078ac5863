/** Counts of a reconciliation, by environment and invariant. */
import type { AuditProgress, Invariant } from '../../../workflows/contract';
import { INVARIANTS } from '../../../workflows/contract';
import type { Database } from '../../platform/database/connection';
import type { Environments } from '../../platform/database/environments';

const MAX_EXAMPLES = 20;

export type Tallies = AuditProgress['tallies'];

const EMPTY = { checks: 0, differences: 0, examples: [] };

/** Adds checks and differences to the tallies. */
export function withChecks(
  tallies: Tallies,
  environment: string,
  invariant: Invariant,
  checks: number,
  differences: readonly string[] = [],
): Tallies {
  const before = tallies[environment]?.[invariant] ?? EMPTY;
  const after = {
    checks: before.checks + checks,
    differences: before.differences + differences.length,
    examples: [...before.examples, ...differences].slice(0, MAX_EXAMPLES),
  };
  return { ...tallies, [environment]: { ...tallies[environment], [invariant]: after } };
}

/** Stores a row for each invariant, also without checks. Returns the number of differences by invariant. */
export async function recordTallies(
  db: Database,
  environments: Environments,
  tallies: Tallies,
): Promise<Record<string, number>> {
  const rows = environments.flatMap(scope =>
    INVARIANTS.map(name => ({ scope, name, ...(tallies[scope]?.[name] ?? EMPTY) })),
  );
  await db.audit.createMany({ data: rows });
  return Object.fromEntries(rows.map(({ scope, name, differences }) => [`${scope} ${name}`, differences]));
}
