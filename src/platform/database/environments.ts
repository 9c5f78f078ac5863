/** The environments that a process serves: one in production, or both if they share a process. */
import { Prisma } from '../../../prisma/generated/client';
import { Environment } from '../../../prisma/generated/enums';
import type { Database } from './connection';

export type Environments = readonly Environment[];

export const BOTH_ENVIRONMENTS: Environments = Object.values(Environment);

export const environmentsOf = (environment: Environment | undefined): Environments =>
  environment ? [environment] : BOTH_ENVIRONMENTS;

const MAX_KNOWN_MERCHANTS = 10_000;
const known = new Map<string, Environment>();

/** The environment of a merchant never changes, so it is cached. Undefined if the database does not respond. */
export async function environmentOf(db: Database, merchant_id: string): Promise<Environment | undefined> {
  const found = known.get(merchant_id);
  if (found) return found;
  const query = { where: { id: merchant_id }, select: { environment: true } };
  const merchant = await db.merchant.findUnique(query).catch(() => null);
  if (!merchant) return undefined;
  if (known.size >= MAX_KNOWN_MERCHANTS) known.clear();
  known.set(merchant_id, merchant.environment);
  return merchant.environment;
}

export const SANDBOX = Prisma.sql`'sandbox'::"Environment"`;

/** An SQL condition on a column `environment`. */
export const whereEnvironmentIn = (environments: Environments): Prisma.Sql =>
  Prisma.sql`environment in (${Prisma.join(environments.map(environment => Prisma.sql`${environment}::"Environment"`))})`;

/** An SQL query of merchant IDs. */
export const merchantsOf = (environments: Environments): Prisma.Sql =>
  Prisma.sql`select id from merchants where ${whereEnvironmentIn(environments)}`;

/** A condition for Temporal queries. A new namespace does not know the attribute yet. */
export const environmentClause = (environments: Environments): string =>
  environments.length === BOTH_ENVIRONMENTS.length ? '' : ` AND Environment = '${environments[0]}'`;
