/** Loads what the page of a payment link shows, by the secret page key in its URL. */
import type { Environment } from '../../../prisma/generated/enums';
import { payerPageUrl } from '../../billing/payerPages/token';
import { findLinkByPageKey, type PaymentLinkRow } from '../../billing/paymentLinks/rows';
import { narrowPlan, type PlanRow } from '../../billing/plans/rows';
import { type SubscriptionRow, subscriptionById } from '../../billing/subscriptions/rows';
import type { Payment } from '../../payments/charges/pending/rows';
import { findTransaction, type TransactionRow } from '../../payments/charges/rows';
import type { Database } from '../../platform/database/connection';
import type { VaultKeys } from '../../platform/vault/keys';

export interface LinkPage extends Pick<Payment, 'merchant_name' | 'appearance' | 'environment' | 'is_suspended'> {
  link: PaymentLinkRow;
  /** Defined for the kind subscription. */
  plan: PlanRow | undefined;
  /** The payment that the payer has chosen. */
  payment: TransactionRow | undefined;
  subscription: SubscriptionRow | undefined;
  savedCard: { brand: string; card_number: string } | null;
  isCustomerDeleted: boolean;
  /** The page of the subscription, while it has one. */
  payerUrl: string | undefined;
}

interface LinkPageServices {
  db: Database;
  environment: Environment;
  vault: VaultKeys;
  publicUrl: string;
}

export async function findLinkPage(
  { db, environment, vault, publicUrl }: LinkPageServices,
  key: string,
): Promise<LinkPage | undefined> {
  const link = await findLinkByPageKey(db, key);
  if (!link) return undefined;
  const { merchant_id, customer_id, plan_id, transaction_id, card_id, subscription_id } = link;
  const [merchant, customer, plan, payment, savedCard, subscription, payerLink] = await Promise.all([
    db.merchant.findUniqueOrThrow({ where: { id: merchant_id } }),
    customer_id === null ? null : db.customer.findUnique({ where: { id: customer_id } }),
    plan_id === null ? null : db.plan.findUnique({ where: { id: plan_id } }),
    transaction_id === null ? undefined : findTransaction(db, { id: transaction_id }),
    card_id === null
      ? null
      : db.card.findUnique({ where: { id: card_id }, select: { brand: true, card_number: true } }),
    subscription_id === null ? undefined : subscriptionById(db, subscription_id),
    subscription_id === null ? null : db.subscriptionLink.findUnique({ where: { subscription_id } }),
  ]);
  if (merchant.environment !== environment) return undefined;
  return {
    link,
    merchant_name: merchant.name,
    appearance: merchant,
    environment,
    is_suspended: merchant.status === 'suspended',
    isCustomerDeleted: customer?.status === 'deleted',
    plan: plan ? narrowPlan(plan) : undefined,
    payment,
    savedCard,
    subscription,
    payerUrl: payerLink?.creation_date ? payerPageUrl(publicUrl, vault.linking, payerLink) : undefined,
  };
}
