/** What an audit of subscriptions has counted, by environment and invariant. */
import type { AuditProgress, Invariant } from '../../../workflows/contract';
import { INVARIANTS } from '../../../workflows/contract';
import type { Database } from '../../platform/database/connection';
import type { Environments } from '../../platform/database/environments';

const MAX_EXAMPLES = 20;

export type Tallies = AuditProgress['tallies'];

const NOTHING = { checks: 0, differences: 0, examples: [] };

/** The same with so many more that were looked at, and these differences. */
export function withChecks(
  tallies: Tallies,
  environment: string,
  invariant: Invariant,
  checks: number,
  differences: readonly string[] = [],
): Tallies {
  const before = tallies[environment]?.[invariant] ?? NOTHING;
  const after = {
    checks: before.checks + checks,
    differences: before.differences + differences.length,
    examples: [...before.examples, ...differences].slice(0, MAX_EXAMPLES),
  };
  return { ...tallies, [environment]: { ...tallies[environment], [invariant]: after } };
}

/** A row for each invariant, also where there was nothing to look at. Answers what differs. */
export async function recordTallies(
  db: Database,
  environments: Environments,
  tallies: Tallies,
): Promise<Record<string, number>> {
  const rows = environments.flatMap(scope =>
    INVARIANTS.map(name => ({ scope, name, ...(tallies[scope]?.[name] ?? NOTHING) })),
  );
  await db.audit.createMany({ data: rows });
  return Object.fromEntries(rows.map(({ scope, name, differences }) => [`${scope} ${name}`, differences]));
}
