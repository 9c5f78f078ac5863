/** The bank account of a merchant: from its profile, otherwise from its request for production access. */
import { Prisma } from '../../../prisma/generated/client';
import type { Environment } from '../../../prisma/generated/enums';
import type { SealedAccount } from '../../gateway/acquirer/port';
import { batchedById } from '../../platform/database/batch';
import { queryRows } from '../../platform/database/connection';
import { idIn } from '../../platform/database/rows';
import { ApiError } from '../../platform/errors';
import { newId } from '../../platform/identifiers';
import type { VaultKeys } from '../../platform/vault/keys';
import { seal } from '../../platform/vault/seal';
import { type AuditOrigin, auditEntry } from '../auditLog/entry';
import type { BankAccount, BankAccountInput } from './fields';
import { isAccountNumber, maskedNumber, withoutSeparators } from './number';

export interface BankAccountRow extends SealedAccount, BankAccount {
  type: BankAccount['type'];
}

const OWN = Prisma.sql`select id, merchant_id, bank, type, number, number_sealed, creation_date from bank_accounts`;
/** The account of a production merchant; its number is sealed for the request. */
const OF_LIVE_REQUESTS = Prisma.sql`
  select id, merchant_id, business #>> '{bank_account,bank}' as bank, business #>> '{bank_account,type}' as type,
    business #>> '{bank_account,number}' as number, account_sealed as number_sealed, decided_at as creation_date
  from live_requests`;

/** Payouts keep this ID. */
export const loadBankAccount = batchedById((db, ids: readonly string[]) =>
  queryRows<BankAccountRow>(
    db,
    Prisma.sql`(${OWN} where id ${idIn(ids)}) union all (${OF_LIVE_REQUESTS} where id ${idIn(ids)})`,
  ),
);

export async function findBankAccount(
  db: Prisma.TransactionClient,
  merchant_id: string,
): Promise<BankAccountRow | undefined> {
  const [row] = await db.$queryRaw<BankAccountRow[]>`
    (${OWN} where merchant_id = ${merchant_id} order by creation_date desc, id desc limit 1)
    union all (${OF_LIVE_REQUESTS} where production_merchant_id = ${merchant_id} and account_sealed is not null)
    limit 1`;
  return row;
}

interface BankAccountOrigin extends AuditOrigin {
  merchant_id: string;
  environment: Environment;
  vault: VaultKeys;
}

/** Writes the audit entry and queues an e-mail, unless the account is unchanged. */
export async function changeBankAccount(
  tx: Prisma.TransactionClient,
  by: BankAccountOrigin,
  input: BankAccountInput,
): Promise<void> {
  const { merchant_id, environment, vault } = by;
  const bank = input.bank.trim();
  const digits = withoutSeparators(input.number);
  const present = await findBankAccount(tx, merchant_id);
  const isSame = present?.bank === bank && present.type === input.type && present.number === digits;
  if (isSame) return;
  if (!isAccountNumber(digits))
    throw new ApiError('invalid_value', 'not_account_number', { field: 'bank_account.number' });
  const id = newId('bank_account');
  const shown = { bank, type: input.type, number: maskedNumber(digits) };
  const number_sealed = seal(vault, digits, { what: 'account', merchant_id, id });
  await tx.bankAccount.create({ data: { id, merchant_id, ...shown, number_sealed } });
  await tx.outbox.create({ data: { kind: 'bank_account_mail', object_id: id, environment } });
  const before = present && { bank: present.bank, type: present.type, number: present.number };
  const entry = auditEntry(by, 'merchant.bank_account_changed', { object_id: id, before, after: shown });
  await tx.auditEntry.create({ data: entry });
}
