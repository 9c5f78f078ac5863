/** Links to payers' pages: one per subscription, from its first use on. */
import { Prisma } from '../../../prisma/generated/client';
import { NEW_LEASE } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import { isTokenOf, subscriptionIdIn } from './token';

export interface SubscriptionLinkRow {
  subscription_id: string;
  generation: number;
  creation_date: Date;
  attempts: number;
  declines: number;
  /** The error of the latest form. */
  error_code: number | null;
  /** Whether a form is being processed. */
  is_busy: boolean;
}

const COLUMNS = Prisma.raw(
  'subscription_id, generation, creation_date, attempts, declines, error_code, coalesce(lease_until > now(), false) as is_busy',
);

/** Returns the present link, or begins one. */
export async function openLink(db: Database, subscription_id: string): Promise<SubscriptionLinkRow> {
  const [row] = await db.$queryRaw<SubscriptionLinkRow[]>`
    insert into subscription_links as link (subscription_id, creation_date) values (${subscription_id}, now())
    on conflict (subscription_id) do update set creation_date = coalesce(link.creation_date, now())
    returning ${COLUMNS}`;
  if (!row) throw new Error(`payer pages: no link of subscription ${subscription_id}`);
  return row;
}

/** The present link, or the first one. Undefined if its merchant has revoked it. */
export async function openFirstLink(db: Database, subscription_id: string): Promise<SubscriptionLinkRow | undefined> {
  await db.$executeRaw`
    insert into subscription_links (subscription_id, creation_date) values (${subscription_id}, now())
    on conflict do nothing`;
  const [row] = await db.$queryRaw<SubscriptionLinkRow[]>`
    select ${COLUMNS} from subscription_links where subscription_id = ${subscription_id} and creation_date is not null`;
  return row;
}

/** Ends the present link, if there is one, and all former ones. */
export const revokeLink = (db: Database, subscription_id: string): Promise<number> =>
  db.$executeRaw`
    update subscription_links set generation = generation + 1, creation_date = null, declines = 0, error_code = null
    where subscription_id = ${subscription_id} and creation_date is not null`;

/** Does not tell an unknown token from a former one, neither by its result nor by its duration. */
export async function findLinkByToken(
  db: Database,
  key: Buffer,
  token: string,
): Promise<SubscriptionLinkRow | undefined> {
  const subscription_id = subscriptionIdIn(token);
  if (subscription_id === undefined) return undefined;
  const [row] = await db.$queryRaw<SubscriptionLinkRow[]>`
    select ${COLUMNS} from subscription_links where subscription_id = ${subscription_id}`;
  const isValid = isTokenOf(key, token, row ?? { subscription_id, generation: 0 });
  return isValid && row?.creation_date ? row : undefined;
}

/**
 * Begins an attempt, of which a page has one at a time: it spares the acquirer the repetitions of a form. That a period is
 * charged once does not depend on it. `attemptsShown` is the number of attempts when the page was rendered.
 */
export async function startAttempt(db: Database, subscription_id: string, attemptsShown: number): Promise<boolean> {
  const started = await db.$executeRaw`
    update subscription_links set attempts = attempts + 1, lease_until = ${NEW_LEASE}, error_code = null
    where subscription_id = ${subscription_id} and attempts = ${attemptsShown} and creation_date is not null
      and (lease_until is null or lease_until < now())`;
  return started > 0;
}

export interface FormOutcome {
  error_code: number | null;
  /** Undefined without an answer about the card. */
  approved: boolean | undefined;
}

/** A later attempt keeps its lease. */
export const endAttempt = (
  db: Database,
  subscription_id: string,
  attempt: number,
  { error_code, approved }: FormOutcome,
): Promise<number> =>
  db.$executeRaw`
    update subscription_links set lease_until = null, error_code = ${error_code},
      declines = ${approved === undefined ? Prisma.sql`declines` : approved ? 0 : Prisma.sql`declines + 1`}
    where subscription_id = ${subscription_id} and attempts = ${attempt}`;
