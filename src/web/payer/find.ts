/** Loads what the page of a subscription shows, by the token in its URL. */
import type { Environment } from '../../../prisma/generated/enums';
import type { PayerActionName } from '../../accounts/merchants/fields';
import { findLinkByToken, type SubscriptionLinkRow } from '../../billing/payerPages/rows';
import { applyPeriodPayment } from '../../billing/subscriptions/billing/periodPayment';
import { findVisible, type SubscriptionRow } from '../../billing/subscriptions/rows';
import { hasUnpaidPeriod } from '../../billing/subscriptions/rules/periods';
import type { Payment } from '../../payments/charges/pending/rows';
import { findTransactions, type TransactionRow } from '../../payments/charges/rows';
import { receiptPath } from '../../payments/receipts/token';
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
  /** Paid charges, with the URLs of their receipts without origin. */
  receipts: (TransactionRow & { path: string })[];
  /** The latest declined charge of the period that is due. */
  decline: TransactionRow | undefined;
  /** The payment that the payer has begun. */
  payment: TransactionRow | undefined;
}

export async function findPayerPage(
  { db, vault, environment }: { db: Database; vault: VaultKeys; environment: Environment },
  token: string,
): Promise<PayerView | undefined> {
  const link = await findLinkByToken(db, vault.linking, token);
  if (!link) return undefined;
  const row = await findCurrent(db, link.subscription_id);
  if (row?.environment !== environment) return undefined;
  const { id: subscription_id, merchant_id, customer_id, current_period_number: period, open } = row;
  const charges = { subscription_id, transaction_type: 'charge' };
  const latestFirst = { orderBy: [{ creation_date: 'desc' as const }, { id: 'desc' as const }] };
  const [merchant, customer, receipts, [decline], [payment]] = await Promise.all([
    db.merchant.findUniqueOrThrow({ where: { id: merchant_id } }),
    db.customer.findUniqueOrThrow({ where: { id: customer_id }, select: { name: true, status: true } }),
    findTransactions(db, {
      where: { ...charges, status: { in: ['completed', 'refunded'] } },
      ...latestFirst,
      take: SHOWN_RECEIPTS,
    }),
    hasUnpaidPeriod(row)
      ? findTransactions(db, {
          where: { ...charges, period, status: 'failed', page_key: null },
          ...latestFirst,
          take: 1,
        })
      : [],
    open?.payment ? findTransactions(db, { where: { id: open.transaction_id } }) : [],
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
    receipts: receipts.map(charge => ({ ...charge, path: receiptPath(vault.linking, charge) })),
    decline,
    payment,
  };
}

/** With the outcome of a payment that the payer has just made. */
async function findCurrent(db: Database, id: string): Promise<SubscriptionRow | undefined> {
  const row = await findVisible(db, id);
  if (!row?.open?.payment) return row;
  const isApplied = await applyPeriodPayment(db, row.open.transaction_id);
  return isApplied ? findVisible(db, id) : row;
}

/** Undefined for a text that may be something else than a name. */
export const firstName = (name: string): string | undefined => /^[\p{L}'’-]{2,40}(?=\s|$)/u.exec(name.trim())?.[0];
