/** Loads what the page of a subscription shows, by the token in its URL. */
import type { Environment } from '../../../prisma/generated/enums';
import type { PayerActionName } from '../../accounts/merchants/fields';
import { findLinkByToken, type SubscriptionLinkRow } from '../../billing/payerPages/rows';
import { findVisible, type SubscriptionRow } from '../../billing/subscriptions/rows';
import type { Payment } from '../../payments/charges/pending/rows';
import { findTransactions, type TransactionRow } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import type { VaultKeys } from '../../platform/vault/keys';

const SHOWN_RECEIPTS = 6;

export interface PayerView extends Pick<Payment, 'merchant_name' | 'appearance' | 'environment' | 'is_suspended'> {
  /** The URL without its origin. */
  path: string;
  link: SubscriptionLinkRow;
  row: SubscriptionRow;
  actions: readonly PayerActionName[];
  first_name: string | undefined;
  receipts: TransactionRow[];
  /** The declined charge of the period that is due. */
  decline: TransactionRow | undefined;
}

export async function findPayerPage(
  { db, vault, environment }: { db: Database; vault: VaultKeys; environment: Environment },
  token: string,
): Promise<PayerView | undefined> {
  const link = await findLinkByToken(db, vault.linking, token);
  if (!link) return undefined;
  const row = await findVisible(db, link.subscription_id);
  if (row?.environment !== environment) return undefined;
  const { id: subscription_id, merchant_id, customer_id, transaction_id } = row;
  const charges = { subscription_id, transaction_type: 'charge' };
  const [merchant, customer, receipts, [latest]] = await Promise.all([
    db.merchant.findUniqueOrThrow({ where: { id: merchant_id } }),
    db.customer.findUniqueOrThrow({ where: { id: customer_id }, select: { name: true, status: true } }),
    findTransactions(db, {
      where: { ...charges, status: { in: ['completed', 'refunded'] } },
      orderBy: [{ creation_date: 'desc' }, { id: 'desc' }],
      take: SHOWN_RECEIPTS,
    }),
    transaction_id === null ? [] : findTransactions(db, { where: { id: transaction_id, status: 'failed' } }),
  ]);
  return {
    path: `/s/${token}`,
    link,
    row,
    merchant_name: merchant.name,
    appearance: merchant,
    environment,
    is_suspended: merchant.status === 'suspended',
    actions: merchant.payer_actions as PayerActionName[],
    first_name: customer.status === 'active' ? firstName(customer.name) : undefined,
    receipts,
    decline: latest,
  };
}

/** Undefined for a text that may be something else than a name. */
export const firstName = (name: string): string | undefined => /^[\p{L}'’-]{2,40}(?=\s|$)/u.exec(name.trim())?.[0];
