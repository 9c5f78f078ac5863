import { Prisma } from '../../../../prisma/generated/client';
import type { NewAuditEntry } from '../../../accounts/auditLog/entry';
import { insertAudit } from '../../../accounts/auditLog/rows';
import type { SealedCard } from '../../../gateway/acquirer/port';
import type { LedgerEntry } from '../../../ledger/movements';
import { batchedWrites } from '../../../platform/database/batch';
import { type Database, queryRows } from '../../../platform/database/connection';
import { idsOf, insertDependents, insertFrom, recordsOf, statement } from '../../../platform/database/rows';
import { ApiError } from '../../../platform/errors';
import type { Money } from '../../../platform/money';
import type { Sealed } from '../../../platform/vault/seal';
import { customerIsActive } from '../../customers/rows';
import { tokenExpiryCutoff } from '../../tokens/rows';
import { NEW_LEASE, TRANSACTION_COLUMNS, type TransactionRow } from '../rows';

/** Time within which an authorized charge can be captured. */
const MAX_AUTHORIZATION_SECONDS = 7 * 86_400;

/** The copy of the card that is stored with the charge. */
const cardJson = (source: 'cards' | 'tokens'): Prisma.Sql =>
  Prisma.raw(`jsonb_build_object('holder_name', holder_name, 'card_number', card_number,
    'expiration_month', expiration_month, 'expiration_year', expiration_year, 'brand', brand, 'address', address,
    'creation_date', ${source}.creation_date, 'type', type, 'bank_name', bank_name, 'bank_code', bank_code, 'country', country,
    'allows_charges', true, 'allows_payouts', coalesce(type = 'debit', false))`);

interface ChargeSource {
  source: Pick<SealedCard, 'holder_name' | 'expiration_month' | 'expiration_year'>;
  number_sealed: Sealed;
  cvv2_sealed: Sealed | null;
  fingerprint: Sealed | null;
}

export type PreparedCharge = TransactionRow & ChargeSource;

/**
 * Inserts concurrent charges in one batch. Each consumes the stored security code of its card, or claims its token, which
 * only one charge can. Writes nothing if the card or token is missing, or if the order_id or ID is taken.
 */
export const prepareBatch = batchedWrites(
  (db, charges: readonly TransactionRow[]) =>
    queryRows<PreparedCharge>(
      db,
      statement(
        {
          charge: Prisma.sql`select * from ${recordsOf('transactions', charges)} as input where ${customerIsActive('input')}`,
          saved_card: Prisma.sql`
            select charge.id as charge_id, cards.id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed,
              fingerprint, null::varchar as created_from, ${cardJson('cards')} || jsonb_build_object('id', cards.id) as card
            from charge join cards on cards.id = charge.source_id and cards.merchant_id = charge.merchant_id
              and cards.customer_id is not distinct from charge.customer_id and cards.status = 'active'`,
          unused_token: Prisma.sql`
            select charge.id as charge_id, tokens.id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed,
              fingerprint, created_from, ${cardJson('tokens')} as card
            from charge join tokens on tokens.id = charge.source_id and tokens.merchant_id = charge.merchant_id
              and used_by is null and number_sealed is not null and tokens.creation_date > ${tokenExpiryCutoff(new Date())}
            where not exists (select from saved_card where saved_card.charge_id = charge.id)
              and not exists (select from transactions t where t.merchant_id = charge.merchant_id and t.order_id = charge.order_id
                and t.holds_order_id)
            order by tokens.id
            for update of tokens`,
          assigned_token: Prisma.sql`select distinct on (id) * from unused_token order by id, charge_id`,
          charge_source: Prisma.sql`select * from saved_card union all select * from assigned_token`,
          inserted_charge: Prisma.sql`${insertCharge} on conflict do nothing returning ${TRANSACTION_COLUMNS}`,
          claimed_token: Prisma.sql`
            update tokens set used_at = now(), used_by = inserted_charge.id
            from assigned_token join inserted_charge on inserted_charge.id = assigned_token.charge_id
            where tokens.id = assigned_token.id`,
          used_cvv2: Prisma.sql`
            update cards set cvv2_sealed = null, cvv2_date = null
            from saved_card join inserted_charge on inserted_charge.id = saved_card.charge_id
            where cards.id = saved_card.id and cards.cvv2_sealed is not null`,
        },
        Prisma.sql`
          select inserted_charge.*, number_sealed, cvv2_sealed, fingerprint, jsonb_build_object('holder_name', charge_source.holder_name,
            'expiration_month', charge_source.expiration_month, 'expiration_year', charge_source.expiration_year) as source
          from inserted_charge join charge_source on charge_source.charge_id = inserted_charge.id`,
      ),
    ),
  ({ id }) => id,
  ({ id }) => id,
);

/** The database adds the card, the merchant's costs, and dates by the merchant's or customer's clock. */
const insertCharge = insertFrom(
  'transactions',
  'charge',
  Prisma.sql`from charge join charge_source on charge_source.charge_id = charge.id
    join merchants on merchants.id = charge.merchant_id and merchants.status = 'active', clock_offset_of(charge.merchant_id, charge.customer_id) as clock
    order by charge.merchant_id, charge.order_id, charge.id`,
  {
    card: Prisma.sql`charge_source.card`,
    payer_address: Prisma.sql`charge_source.created_from`,
    cost_rate: Prisma.sql`merchants.cost_rate`,
    cost_fixed: Prisma.sql`merchants.cost_fixed`,
    clock_offset: Prisma.sql`clock`,
    creation_date: Prisma.sql`now() + make_interval(secs => clock)`,
    operation_date: Prisma.sql`now() + make_interval(secs => clock)`,
    expires_at: Prisma.sql`case when not charge.capture then now() + make_interval(secs => clock + ${MAX_AUTHORIZATION_SECONDS}) end`,
    lease_until: NEW_LEASE,
  },
);

interface StartedWork {
  progress: 'capturing' | 'voiding';
  work_id: string;
  capture_amount: Money;
  /** Added to the number of attempts. */
  attempts: number;
}

/** Undefined unless the charge is authorized for that amount. */
export async function markWork(
  db: Database,
  id: string,
  { progress, work_id, capture_amount, attempts }: StartedWork,
  audit: NewAuditEntry,
): Promise<TransactionRow | undefined> {
  const [started] = await db.$queryRaw<TransactionRow[]>(
    statement(
      {
        started: Prisma.sql`
          update transactions set progress = ${progress}, work_id = ${work_id}, capture_amount = ${capture_amount},
            lease_until = ${NEW_LEASE}, attempts = attempts + ${attempts}
          where id = ${id} and progress = 'authorized' and amount >= ${capture_amount} returning ${TRANSACTION_COLUMNS}`,
        audit: insertAudit([audit], idsOf('started')),
      },
      Prisma.sql`select * from started`,
    ),
  );
  return started;
}

export async function lockCharge(tx: Prisma.TransactionClient, id: string): Promise<TransactionRow> {
  const [row] = await tx.$queryRaw<
    TransactionRow[]
  >`select ${TRANSACTION_COLUMNS} from transactions where id = ${id} for no key update`;
  if (!row) throw new Error(`the charge ${id} of a refund is gone`);
  return row;
}

interface RefundContext {
  current: TransactionRow;
  /** Refunds that did not fail. */
  earlierRefunds: TransactionRow[];
  /** The refund prepared by an earlier run of the request. */
  ownRefund: TransactionRow | undefined;
  /** Balance of the account that received the charge. */
  balance: Money;
  clock: { creation_date: Date; operation_date: Date; clock_offset: number };
}

export async function loadRefundContext(
  tx: Prisma.TransactionClient,
  charge: TransactionRow,
  id: string,
): Promise<RefundContext> {
  const rows = await tx.$queryRaw<(TransactionRow & { balance: string; clock: number; at: Date })[]>`
    select ${TRANSACTION_COLUMNS}, balance::text, clock, now() + make_interval(secs => clock) as at
    from account_balance(${charge.account}) as balance, clock_offset_of(${charge.merchant_id}, ${charge.customer_id}) as clock,
      transactions
    where merchant_id = ${charge.merchant_id} and (id in (${charge.id}, ${id}) or parent_id = ${charge.id})`;
  const current = rows.find(row => row.id === charge.id);
  if (!current) throw new ApiError('not_found');
  return {
    current,
    earlierRefunds: rows.filter(({ parent_id, status }) => parent_id === charge.id && status !== 'failed'),
    ownRefund: rows.find(row => row.id === id),
    balance: BigInt(current.balance),
    clock: { creation_date: current.at, operation_date: current.at, clock_offset: current.clock },
  };
}

export const insertRefund = (
  tx: Prisma.TransactionClient,
  refund: TransactionRow,
  entries: LedgerEntry[],
  audit: NewAuditEntry,
): Promise<number> =>
  tx.$executeRaw(
    statement(
      {
        inserted_refund: Prisma.sql`${insertFrom(
          'transactions',
          'refund',
          Prisma.sql`from ${recordsOf('transactions', [refund])} as refund`,
          { lease_until: NEW_LEASE },
        )} returning id`,
        refund_audit: insertAudit([audit], idsOf('inserted_refund')),
      },
      insertDependents(
        'entries',
        entries.map(entry => ({ cause: refund.id, row: { ...entry, transaction_id: refund.id } })),
        idsOf('inserted_refund'),
      ),
    ),
  );
