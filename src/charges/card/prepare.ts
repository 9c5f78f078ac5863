/**
 * Writes a charge before it is sent to the acquirer: its id, its order_id, and the card or token that it will be
 * charged to.
 */
import { Prisma } from '../../../prisma/generated/client';
import type { SealedCard } from '../../acquirer/port';
import type { Context } from '../../context';
import type { CustomerRow } from '../../customers/rows';
import { batched } from '../../database/batch';
import { customerAccount, merchantAccount } from '../../ledger/accounts';
import { ApiError } from '../../platform/errors';
import { tokenExpiryCutoff } from '../../tokens/rows';
import type { Sealed } from '../../vault/seal';
import type { CreateCharge } from '../requests';
import type { TransactionRow } from '../view';

/** How long a request may work on a charge before another process takes it over. */
export const CHARGE_LEASE_SECONDS = 45;
/** How long an authorized charge can be captured. */
export const MAX_AUTHORIZATION_SECONDS = 7 * 86_400;

const columnNames = Object.values(Prisma.TransactionScalarFieldEnum);
export const TRANSACTION_COLUMNS = Prisma.raw(columnNames.map(name => `"${name}"`).join(', '));

/** The copy of the card that is stored with the charge. */
const CARD_JSON =
  Prisma.raw(`jsonb_build_object('holder_name', holder_name, 'card_number', card_number, 'expiration_month', expiration_month,
  'expiration_year', expiration_year, 'brand', brand, 'address', address, 'creation_date', creation_date, 'type', type,
  'bank_name', bank_name, 'bank_code', bank_code, 'allows_charges', true, 'allows_payouts', type = 'debit')`);
/** For statements whose new charges are rows of `charge_input`. */
export const CUSTOMER_IS_ACTIVE = Prisma.raw(`(charge_input.customer_id is null
  or exists (select from customers where customers.id = charge_input.customer_id and customers.status = 'active' for share))`);

interface ChargeSource {
  source: Pick<SealedCard, 'holder_name' | 'expiration_month' | 'expiration_year'>;
  number_sealed: Sealed;
  cvv2_sealed: Sealed | null;
}

type PreparedCharge = TransactionRow & ChargeSource;

/** A row of `charge_input`. */
interface ChargeRecord {
  id: string;
  [column: string]: unknown;
}

export function prepareCharge(
  { db, merchant_id }: Context,
  id: string,
  charge: CreateCharge,
  customer: CustomerRow | null,
): Promise<PreparedCharge | undefined> {
  const { source_id, iva, description, order_id, device_session_id, capture = true, metadata } = charge;
  return prepareBatch(db, {
    id,
    merchant_id,
    customer_id: customer?.id ?? null,
    source_id,
    amount: `${charge.amount}`,
    iva,
    description,
    order_id: order_id || null,
    device_session_id,
    capture,
    metadata,
    customer: charge.customer,
    account: creditedAccount(merchant_id, customer),
  });
}

/** The ledger account that receives the money of a charge. */
export const creditedAccount = (merchant_id: string, customer: CustomerRow | null): string =>
  customer?.requires_account ? customerAccount(customer.id) : merchantAccount(merchant_id);

/**
 * Charges of simultaneous requests share one statement. It finds the card and uses up the security code stored with it,
 * or claims the token, which only one charge can. Without a card or token, or if the order_id or the id itself is
 * taken, nothing is written.
 */
const prepareBatch = batched(
  (db, charges: readonly ChargeRecord[]) => db.$queryRaw<PreparedCharge[]>`
    with charge_input as (
      select * from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as charge (id text, merchant_id text, customer_id text,
        source_id text, amount bigint, iva text, description text, order_id text, device_session_id text, capture boolean, metadata jsonb,
        customer jsonb, account text)
    ), saved_card as (
      select charge_input.id as charge_id, cards.id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed,
        ${CARD_JSON} || jsonb_build_object('id', cards.id) as card
      from charge_input join cards on cards.id = charge_input.source_id and cards.merchant_id = charge_input.merchant_id
        and cards.customer_id is not distinct from charge_input.customer_id and cards.status = 'active'
      where ${CUSTOMER_IS_ACTIVE}
    ), unused_token as (
      select charge_input.id as charge_id, tokens.id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed,
        ${CARD_JSON} as card
      from charge_input join tokens on tokens.id = charge_input.source_id and tokens.merchant_id = charge_input.merchant_id
        and used_by is null and creation_date > ${tokenExpiryCutoff(new Date())}
      where ${CUSTOMER_IS_ACTIVE} and not exists (select from saved_card where saved_card.charge_id = charge_input.id)
        and not exists (select from transactions t where t.merchant_id = charge_input.merchant_id and t.order_id = charge_input.order_id
          and t.holds_order_id)
      order by tokens.id
      for update of tokens
    ), assigned_token as (select distinct on (id) * from unused_token order by id, charge_id),
    charge_source as (select * from saved_card union all select * from assigned_token),
    inserted_charge as (
      insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type, method,
        status, progress, amount, iva, description, order_id, card, source_id, customer, metadata, device_session_id, capture, account,
        cost_rate, cost_fixed, clock_offset, expires_at, lease_until)
      select charge_input.id, charge_input.merchant_id, customer_id, now() + make_interval(secs => clock),
        now() + make_interval(secs => clock), 'charge', 'in', 'card', 'in_progress', 'prepared', amount, iva, description, order_id,
        charge_source.card, source_id, customer, metadata, device_session_id, capture, account, cost_rate, cost_fixed, clock,
        case when not capture then now() + make_interval(secs => clock + ${MAX_AUTHORIZATION_SECONDS}) end,
        now() + make_interval(secs => ${CHARGE_LEASE_SECONDS})
      from charge_input join charge_source on charge_source.charge_id = charge_input.id
        join merchants on merchants.id = charge_input.merchant_id,
        clock_offset_of(charge_input.merchant_id, charge_input.customer_id) as clock
      order by charge_input.merchant_id, charge_input.order_id, charge_input.id
      on conflict do nothing returning ${TRANSACTION_COLUMNS}
    ), claimed_token as (
      update tokens set used_at = now(), used_by = inserted_charge.id
      from assigned_token join inserted_charge on inserted_charge.id = assigned_token.charge_id where tokens.id = assigned_token.id
    ), used_cvv2 as (
      update cards set cvv2_sealed = null, cvv2_date = null
      from saved_card join inserted_charge on inserted_charge.id = saved_card.charge_id
      where cards.id = saved_card.id and cards.cvv2_sealed is not null
    )
    select inserted_charge.*, number_sealed, cvv2_sealed, jsonb_build_object('holder_name', charge_source.holder_name,
      'expiration_month', charge_source.expiration_month, 'expiration_year', charge_source.expiration_year) as source
    from inserted_charge join charge_source on charge_source.charge_id = inserted_charge.id`,
  ({ id }) => id,
);

export async function throwWhyNotPrepared({ db, merchant_id }: Context, { order_id }: CreateCharge): Promise<never> {
  if (order_id) {
    const holder = await db.transaction.findFirst({ where: { merchant_id, order_id, holds_order_id: true } });
    if (holder) throw new ApiError('order_id_exists');
  }
  throw new ApiError('invalid_value', { field: 'source_id', problem: 'is unknown or cannot be used here' });
}
