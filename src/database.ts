import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../prisma/generated/client';

export type Database = PrismaClient;

/** Connects when first used and again whenever the server is back, so a process may start before its database. */
export function openDatabase(url: string): Database {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: 10, connectionTimeoutMillis: 2000 }) });
}
