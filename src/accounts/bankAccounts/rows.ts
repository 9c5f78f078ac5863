/** The bank account of a merchant: from its profile, otherwise from its request for production access. */
import { Prisma } from '../../../prisma/generated/client';
import { formatMoment } from '../../../workflows/calendar';
import type { SealedAccount } from '../../gateway/acquirer/port';
import { batchedById } from '../../platform/database/batch';
import { queryRows } from '../../platform/database/connection';
import { idIn } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import { newId } from '../../platform/identifiers';
import { seal } from '../../platform/vault/seal';
import type { Context } from '../../schema/operation/context';
import { requireRecentKey } from '../../schema/operation/guard';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import type { BankAccount, BankAccountInput } from './fields';
import { isAccountNumber, maskedNumber, withoutSeparators } from './number';

const HOUR_MS = 3_600_000;

export interface BankAccountRow extends SealedAccount, BankAccount {
  type: BankAccount['type'];
  effective_date: Date;
}

const OWN = Prisma.sql`
  select id, merchant_id, bank, type, number, number_sealed, creation_date, effective_at as effective_date
  from bank_accounts`;
/** The account of a production merchant; its number is sealed for the request. */
const OF_LIVE_REQUESTS = Prisma.sql`
  select id, merchant_id, business #>> '{bank_account,bank}' as bank, business #>> '{bank_account,type}' as type,
    business #>> '{bank_account,number}' as number, account_sealed as number_sealed, decided_at as creation_date,
    decided_at as effective_date
  from live_requests`;

/** Payouts keep this ID. */
export const loadBankAccount = batchedById((db, ids: readonly string[]) =>
  queryRows<BankAccountRow>(
    db,
    Prisma.sql`(${OWN} where id ${idIn(ids)}) union all (${OF_LIVE_REQUESTS} where id ${idIn(ids)})`,
  ),
);

interface BankAccounts {
  now: Date;
  /** The account of payouts. */
  present: BankAccountRow | undefined;
  /** A change that is not effective yet. */
  pending: BankAccountRow | undefined;
}

/** By the test clock of the merchant. A merchant has at most one pending change. */
export async function findBankAccounts(db: Prisma.TransactionClient, merchant_id: string): Promise<BankAccounts> {
  const rows = await db.$queryRaw<(BankAccountRow & { now: Date; is_effective: boolean })[]>`
    select account.*, clock.now, effective_date <= clock.now as is_effective
    from (select now() + make_interval(secs => clock_offset) as now from merchants where id = ${merchant_id}) as clock
    left join (
      (${OWN} where merchant_id = ${merchant_id} and stopped_at is null order by effective_at desc, id desc limit 2)
      union all (${OF_LIVE_REQUESTS} where production_merchant_id = ${merchant_id} and account_sealed is not null)
    ) as account on true
    order by effective_date desc`;
  const accounts = rows.filter(({ id }) => id !== null);
  return {
    now: rows[0]?.now ?? new Date(),
    present: accounts.find(({ is_effective }) => is_effective),
    pending: accounts.find(({ is_effective }) => !is_effective),
  };
}

type BankAccountOrigin = AuditOrigin &
  Pick<Context, 'merchant_id' | 'environment' | 'rights' | 'vault' | 'publicUrl' | 'bankAccountWaitHours'>;

/**
 * The first account is effective at once. Another one waits, so that its e-mail can stop it. Writes the audit entry and
 * queues the e-mail, unless the account is unchanged.
 */
export async function changeBankAccount(
  tx: Prisma.TransactionClient,
  by: BankAccountOrigin,
  input: BankAccountInput,
): Promise<void> {
  const { merchant_id, environment, vault, publicUrl, bankAccountWaitHours } = by;
  const bank = input.bank.trim();
  const digits = withoutSeparators(input.number);
  const { now, present, pending } = await findBankAccounts(tx, merchant_id);
  const isSame = [present, pending].some(
    account => account?.bank === bank && account.type === input.type && account.number === digits,
  );
  if (isSame) return;
  requireRecentKey(by.rights, 'updateMerchant');
  if (!isAccountNumber(digits))
    throw new ApiError('invalid_value', 'not_account_number', { field: 'bank_account.number' });
  const id = newId('bank_account');
  const shown = { bank, type: input.type, number: maskedNumber(digits) };
  const number_sealed = seal(vault, digits, { what: 'account', merchant_id, id });
  const effective_at = new Date(now.getTime() + (present ? bankAccountWaitHours * HOUR_MS : 0));
  const page = present && { page_key: newId('bank_account'), page_origin: publicUrl };
  if (pending) await tx.bankAccount.update({ where: { id: pending.id }, data: { stopped_at: now } });
  await tx.bankAccount.create({ data: { id, merchant_id, ...shown, number_sealed, effective_at, ...page } });
  await tx.outbox.create({ data: { kind: 'bank_account_mail', object_id: id, environment } });
  const before = present && { bank: present.bank, type: present.type, number: present.number };
  const after = { ...shown, effective_date: formatMoment(effective_at.getTime()) };
  const entry = auditEntry(by, 'merchant.bank_account_changed', { object_id: id, before, after });
  await tx.auditEntry.create({ data: entry });
}
