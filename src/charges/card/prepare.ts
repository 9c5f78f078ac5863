/** A charge is written down before the acquirer is asked: under its id, with its order_id, with what it will be charged to. */
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

/** How long its request may take before somebody else finishes it. */
export const CHARGE_LEASE_SECONDS = 45;
/** How long a charge stays reserved for its capture. */
export const AUTHORIZATION_SECONDS = 7 * 86_400;

const names = Object.values(Prisma.TransactionScalarFieldEnum);
export const TRANSACTION_COLUMNS = Prisma.raw(names.map(name => `"${name}"`).join(', '));

/** What is kept of a card with the charge. */
const CARD_JSON =
  Prisma.raw(`jsonb_build_object('holder_name', holder_name, 'card_number', card_number, 'expiration_month', expiration_month,
  'expiration_year', expiration_year, 'brand', brand, 'address', address, 'creation_date', creation_date, 'type', type,
  'bank_name', bank_name, 'bank_code', bank_code, 'allows_charges', true, 'allows_payouts', type = 'debit')`);
export const CUSTOMER_IS_ACTIVE = Prisma.raw(`(input.customer_id is null
  or exists (select from customers where customers.id = input.customer_id and customers.status = 'active' for share))`);

interface ChargeSource {
  source: Pick<SealedCard, 'holder_name' | 'expiration_month' | 'expiration_year'>;
  number_sealed: Sealed;
  cvv2_sealed: Sealed | null;
}

type PreparedCharge = TransactionRow & ChargeSource;

/** A row of the statement's document. */
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

/** The one that is credited. */
export const creditedAccount = (merchant_id: string, customer: CustomerRow | null): string =>
  customer?.requires_account ? customerAccount(customer.id) : merchantAccount(merchant_id);

/**
 * Charges of requests that come together share one statement. It finds the card and takes the security code that waits on it, or claims
 * the token, which only one can; without either, or where the order_id or the id itself is taken, it leaves nothing behind.
 */
const prepareBatch = batched(
  (db, charges: readonly ChargeRecord[]) => db.$queryRaw<PreparedCharge[]>`
    with input as (
      select * from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as i (id text, merchant_id text, customer_id text, source_id text,
        amount bigint, iva text, description text, order_id text, device_session_id text, capture boolean, metadata jsonb, customer jsonb,
        account text)
    ), saved as (
      select input.id as charge_id, cards.id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed,
        ${CARD_JSON} || jsonb_build_object('id', cards.id) as card
      from input join cards on cards.id = input.source_id and cards.merchant_id = input.merchant_id
        and cards.customer_id is not distinct from input.customer_id and cards.status = 'active'
      where ${CUSTOMER_IS_ACTIVE}
    ), free as (
      select input.id as charge_id, tokens.id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed, ${CARD_JSON} as card
      from input join tokens on tokens.id = input.source_id and tokens.merchant_id = input.merchant_id and used_by is null
        and creation_date > ${tokenExpiryCutoff(new Date())}
      where ${CUSTOMER_IS_ACTIVE} and not exists (select from saved where saved.charge_id = input.id)
        and not exists (select from transactions taken where taken.merchant_id = input.merchant_id and taken.order_id = input.order_id
          and taken.holds_order_id)
      order by tokens.id
      for update of tokens
    ), token as (select distinct on (id) * from free order by id, charge_id),
    source as (select * from saved union all select * from token),
    new as (
      insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type, method,
        status, progress, amount, iva, description, order_id, card, source_id, customer, metadata, device_session_id, capture, account,
        cost_rate, cost_fixed, clock_offset, expires_at, lease_until)
      select input.id, input.merchant_id, customer_id, now() + make_interval(secs => clock), now() + make_interval(secs => clock),
        'charge', 'in', 'card', 'in_progress', 'prepared', amount, iva, description, order_id, source.card, source_id, customer, metadata,
        device_session_id, capture, account, cost_rate, cost_fixed, clock,
        case when not capture then now() + make_interval(secs => clock + ${AUTHORIZATION_SECONDS}) end, now() + make_interval(secs => ${CHARGE_LEASE_SECONDS})
      from input join source on source.charge_id = input.id join merchants on merchants.id = input.merchant_id,
        clock_offset_of(input.merchant_id, input.customer_id) as clock
      order by input.merchant_id, input.order_id, input.id
      on conflict do nothing returning ${TRANSACTION_COLUMNS}
    ), claimed as (
      update tokens set used_at = now(), used_by = new.id
      from token join new on new.id = token.charge_id where tokens.id = token.id
    ), taken as (
      update cards set cvv2_sealed = null, cvv2_date = null
      from saved join new on new.id = saved.charge_id where cards.id = saved.id and cards.cvv2_sealed is not null
    )
    select new.*, number_sealed, cvv2_sealed, jsonb_build_object('holder_name', source.holder_name,
      'expiration_month', source.expiration_month, 'expiration_year', source.expiration_year) as source
    from new join source on source.charge_id = new.id`,
  ({ id }) => id,
);

/** Why nothing was prepared. */
export async function throwWhyNotPrepared({ db, merchant_id }: Context, { order_id }: CreateCharge): Promise<never> {
  if (order_id) {
    const holder = await db.transaction.findFirst({ where: { merchant_id, order_id, holds_order_id: true } });
    if (holder) throw new ApiError('order_id_exists');
  }
  throw new ApiError('invalid_value', 'source_id is unknown or cannot be used here');
}
