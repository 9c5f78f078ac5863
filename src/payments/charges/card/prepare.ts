/** Writes a charge with its order_id and its card or token before it is sent to the acquirer. */
import { Prisma } from '../../../../prisma/generated/client';
import { rejectSuspended } from '../../../accounts/merchants/suspension';
import type { SealedCard } from '../../../gateway/acquirer/port';
import { customerAccount, merchantAccount } from '../../../ledger/accounts';
import { batchedWrites } from '../../../platform/database/batch';
import { queryRows } from '../../../platform/database/connection';
import { insertFrom, recordsOf, statement } from '../../../platform/database/rows';
import { ApiError } from '../../../platform/errors';
import type { Sealed } from '../../../platform/vault/seal';
import type { Context } from '../../../schema/operation/context';
import { type CustomerRow, customerIsActive } from '../../customers/rows';
import { tokenExpiryCutoff } from '../../tokens/rows';
import { newTransaction, payableColumns } from '../newTransaction';
import type { CreateCharge } from '../requests';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../rows';

/** Time after which another process takes over an unfinished charge. */
export const CHARGE_LEASE_SECONDS = 45;
/** Uses the database clock, which also decides when the lease expires. */
export const NEW_LEASE = Prisma.sql`now() + make_interval(secs => ${CHARGE_LEASE_SECONDS})`;
const MAX_AUTHORIZATION_SECONDS = 7 * 86_400;

/** The copy of the card stored with the charge. */
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

type PreparedCharge = TransactionRow & ChargeSource;

export function prepareCharge(
  { db, merchant_id }: Context,
  id: string,
  charge: CreateCharge,
  customer: CustomerRow | null,
): Promise<PreparedCharge | undefined> {
  const { method, source_id = null, device_session_id = null, capture = true, payment_plan } = charge;
  const row = newTransaction({
    ...payableColumns(charge),
    ...{
      method,
      source_id,
      device_session_id,
      capture,
      redirect_url: null,
      installments: payment_plan?.payments ?? null,
    },
    id,
    merchant_id,
    customer_id: customer?.id ?? null,
    account: creditedAccount(merchant_id, customer),
    transaction_type: 'charge',
    operation_type: 'in',
  });
  return prepareBatch(db, row);
}

/** The ledger account that receives the money of a charge. */
export const creditedAccount = (merchant_id: string, customer: CustomerRow | null): string =>
  customer?.requires_account ? customerAccount(customer.id) : merchantAccount(merchant_id);

/**
 * Inserts the charges of concurrent requests in one batch. Uses up the card's stored security code, or claims the token,
 * which only one charge can. Writes nothing without a card or token, or if the order_id or ID is taken.
 */
const prepareBatch = batchedWrites(
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

/** Adds the card, the merchant's costs, and dates by the clock of the merchant or customer. */
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

/** Throws the reason only if it still holds. Otherwise the request can be repeated. */
export async function throwWhyNotPrepared(
  { db, merchant_id }: Context,
  { order_id, source_id }: CreateCharge,
  customer: CustomerRow | null,
): Promise<never> {
  const id = source_id ?? '';
  const [holder, owner, card, token] = await Promise.all([
    order_id ? db.transaction.findFirst({ where: { merchant_id, order_id, holds_order_id: true } }) : null,
    customer ? db.customer.findUnique({ where: { id: customer.id } }) : null,
    db.card.findFirst({ where: { id, merchant_id, customer_id: customer?.id ?? null, status: 'active' } }),
    db.token.findFirst({
      where: {
        id,
        merchant_id,
        used_by: null,
        number_sealed: { not: null },
        creation_date: { gt: tokenExpiryCutoff(new Date()) },
      },
    }),
  ]);
  await rejectSuspended(db, merchant_id);
  if (holder) throw new ApiError('order_id_exists');
  if (customer && owner?.status !== 'active') throw new ApiError('not_found');
  if (!card && !token) throw new ApiError('invalid_value', 'not_usable', { field: 'source_id' });
  throw new ApiError('unavailable', 'changed_meanwhile');
}
