/** The environments whose work a process does: one of them in production, both where they share a process. */
import { Prisma } from '../../prisma/generated/client';
import { Environment } from '../../prisma/generated/enums';

export type Environments = readonly Environment[];

export const BOTH_ENVIRONMENTS: Environments = Object.values(Environment);

export const environmentsOf = (environment: Environment | undefined): Environments =>
  environment ? [environment] : BOTH_ENVIRONMENTS;

/** In SQL, where `environment` is a column in scope. */
export const isIn = (environments: Environments): Prisma.Sql =>
  Prisma.sql`environment in (${Prisma.join(environments.map(environment => Prisma.sql`${environment}::"Environment"`))})`;

/** In SQL: the ids of their merchants. */
export const merchantsOf = (environments: Environments): Prisma.Sql =>
  Prisma.sql`select id from merchants where ${isIn(environments)}`;

/** In a query of Temporal. A namespace that was just made does not know the attribute yet. */
export const andIn = (environments: Environments): string =>
  environments.length === BOTH_ENVIRONMENTS.length ? '' : ` AND Environment = '${environments[0]}'`;
