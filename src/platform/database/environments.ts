/** The environments whose work a process does: one of them in production, both where they share a process. */
import { Prisma } from '../../../prisma/generated/client';
import { Environment } from '../../../prisma/generated/enums';
import type { Database } from './connection';

export type Environments = readonly Environment[];

export const BOTH_ENVIRONMENTS: Environments = Object.values(Environment);

export const environmentsOf = (environment: Environment | undefined): Environments =>
  environment ? [environment] : BOTH_ENVIRONMENTS;

const MAX_KNOWN_MERCHANTS = 10_000;
const known = new Map<string, Environment>();

/** Of one merchant, for good: so it is asked once. Undefined while the database does not answer. */
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

/** In SQL. */
export const SANDBOX = Prisma.sql`'sandbox'::"Environment"`;

/** In SQL, where `environment` is a column in scope. */
export const isIn = (environments: Environments): Prisma.Sql =>
  Prisma.sql`environment in (${Prisma.join(environments.map(environment => Prisma.sql`${environment}::"Environment"`))})`;

/** In SQL: the ids of their merchants. */
export const merchantsOf = (environments: Environments): Prisma.Sql =>
  Prisma.sql`select id from merchants where ${isIn(environments)}`;

/** In a query of Temporal. A namespace that was just made does not know the attribute yet. */
export const andIn = (environments: Environments): string =>
  environments.length === BOTH_ENVIRONMENTS.length ? '' : ` AND Environment = '${environments[0]}'`;
