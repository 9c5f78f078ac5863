/** A charge is written down before the acquirer is asked: under its id, with its order_id, with what it will be charged to. */
import { Prisma } from '../../prisma/generated/client';
import type { SealedCard } from '../acquirer/port';
import type { Context } from '../context';
import type { CustomerRow } from '../customers/rows';
import { ApiError } from '../errors';
import { customerAccount, merchantAccount } from '../ledger/accounts';
import { bornBefore } from '../tokens/rows';
import type { Sealed } from '../vault/seal';
import type { CreateCharge } from './fields';
import type { TransactionRow } from './shown';

/** How long its request may take before somebody else finishes it. */
export const LEASE_SECONDS = 45;

const names = Object.values(Prisma.TransactionScalarFieldEnum);
export const COLUMNS = Prisma.raw(names.map(name => `"${name}"`).join(', '));

/** What is kept of a card with the charge. */
const PRINTED =
  Prisma.raw(`jsonb_build_object('holder_name', holder_name, 'card_number', card_number, 'expiration_month', expiration_month,
  'expiration_year', expiration_year, 'brand', brand, 'address', address, 'creation_date', creation_date, 'type', type,
  'bank_name', bank_name, 'bank_code', bank_code, 'allows_charges', true, 'allows_payouts', type = 'debit')`);

interface Source {
  source: Pick<SealedCard, 'holder_name' | 'expiration_month' | 'expiration_year'>;
  number_sealed: Sealed;
  cvv2_sealed: Sealed | null;
}

type Prepared = TransactionRow & Source;

/**
 * One statement. It finds the card and takes the security code that waits on it, or claims the token; without either, or where the
 * order_id or the id itself is taken, it leaves nothing behind.
 */
export async function prepareCharge(
  { db, merchant_id }: Context,
  id: string,
  charge: CreateCharge,
  customer: CustomerRow | null,
): Promise<Prepared | undefined> {
  const { source_id = '', amount, iva, description, order_id, device_session_id, capture = true, metadata } = charge;
  const customer_id = customer?.id ?? null;
  const account = customer?.requires_account ? customerAccount(customer.id) : merchantAccount(merchant_id);
  const echoed = charge.customer ? JSON.stringify(charge.customer) : null;
  const kept = metadata ? JSON.stringify(metadata) : null;
  const [row] = await db.$queryRaw<Prepared[]>`
    with saved as (
      select id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed,
        ${PRINTED} || jsonb_build_object('id', id) as card
      from cards where id = ${source_id} and merchant_id = ${merchant_id} and customer_id is not distinct from ${customer_id}
        and status = 'active' and ${liveCustomer(customer_id)}
    ), token as (
      select id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed, ${PRINTED} as card
      from tokens where id = ${source_id} and merchant_id = ${merchant_id} and used_by is null
        and creation_date > ${bornBefore(new Date())} and ${liveCustomer(customer_id)} and not exists (select from saved)
      for update
    ), source as (select * from saved union all select * from token),
    new as (
      insert into transactions (id, merchant_id, customer_id, creation_date, operation_date, transaction_type, operation_type, method,
        status, progress, amount, iva, description, order_id, card, source_id, customer, metadata, device_session_id, capture, account,
        cost_rate, cost_fixed, clock_offset, lease_until)
      select ${id}, ${merchant_id}, ${customer_id}, now() + make_interval(secs => clock), now() + make_interval(secs => clock),
        'charge', 'in', 'card', 'in_progress', 'prepared', ${amount}, ${iva}, ${description}, ${order_id || null}, source.card, source.id,
        ${echoed}::jsonb, ${kept}::jsonb, ${device_session_id}, ${capture}, ${account}, cost_rate, cost_fixed, clock,
        now() + make_interval(secs => ${LEASE_SECONDS})
      from source, merchants, clock_offset_of(${merchant_id}, ${customer_id}) as clock where merchants.id = ${merchant_id}
      on conflict do nothing returning ${COLUMNS}
    ), claimed as (
      update tokens set used_at = now(), used_by = ${id}, cvv2_sealed = null where id in (select token.id from token, new)
    ), taken as (
      update cards set cvv2_sealed = null, cvv2_date = null
      where id in (select saved.id from saved, new) and cvv2_sealed is not null
    )
    select new.*, number_sealed, cvv2_sealed, jsonb_build_object('holder_name', source.holder_name,
      'expiration_month', source.expiration_month, 'expiration_year', source.expiration_year) as source
    from new, source`;
  return row;
}

const liveCustomer = (id: string | null): Prisma.Sql =>
  id === null
    ? Prisma.sql`true`
    : Prisma.sql`exists (select from customers where id = ${id} and status = 'active' for share)`;

/** Why nothing was prepared. */
export async function refusePreparation(
  { db, merchant_id }: Context,
  { order_id, source_id = '' }: CreateCharge,
): Promise<never> {
  if (order_id) {
    const holder = await db.transaction.findFirst({ where: { merchant_id, order_id, holds_order_id: true } });
    if (holder) throw new ApiError('order_id_exists');
  }
  throw new ApiError('invalid_value', `source_id ${source_id.slice(0, 45)} is unknown or cannot be used here`);
}
