import type { Database } from '../../../platform/database/connection';
import { newestFirst } from '../../../schema/list';
import { findMerchant } from '../merchants';
import type { MerchantActivity, RecentTransaction } from './fields';

const MAX_RECENT = 10;

/** The latest objects of a merchant. Throws for an unknown merchant. */
export async function readActivity(db: Database, merchant_id: string): Promise<MerchantActivity> {
  const latest = { orderBy: [...newestFirst], take: MAX_RECENT };
  const transactions = (transaction_type: string): Promise<RecentTransaction[]> =>
    db.transaction.findMany({
      ...latest,
      where: { merchant_id, transaction_type },
      select: { id: true, method: true, status: true, amount: true, creation_date: true },
    });
  const [, charges, payouts, subscriptions, webhooks] = await Promise.all([
    findMerchant(db, merchant_id),
    transactions('charge'),
    transactions('payout'),
    db.subscription.findMany({
      ...latest,
      where: { merchant_id, status: { not: 'new' } },
      select: { id: true, status: true, creation_date: true, plan: { select: { name: true } } },
    }),
    db.webhook.findMany({ ...latest, where: { merchant_id }, select: { id: true, url: true, status: true } }),
  ]);
  return {
    charges,
    payouts,
    subscriptions: subscriptions.map(({ plan, ...row }) => ({ ...row, plan: plan.name })),
    // The path may contain a secret.
    webhooks: webhooks.map(({ url, ...row }) => ({ ...row, host: new URL(url).host })),
  };
}
