/** Loads what the portal of a customer shows, by the token in its URL. */
import type { PayerActionName } from '../../accounts/merchants/fields';
import { findPortal, type PortalRow } from '../../billing/portals/rows';
import { type PortalToken, readPortalToken } from '../../billing/portals/token';
import { type SubscriptionRow, subscriptionById } from '../../billing/subscriptions/rows';
import { type CardRow, narrowCard, secretColumns } from '../../payments/cards/rows';
import type { Payment } from '../../payments/charges/pending/rows';
import { findTransactions, type TransactionRow } from '../../payments/charges/rows';
import { receiptPath } from '../../payments/receipts/token';
import { timeOf } from '../../platform/database/clock';
import type { Context } from '../../schema/operation/context';
import { firstName } from '../payer/find';

/** The newest ones of each kind. */
const MAX_SHOWN = 50;
const SHOWN_PAYMENTS = 10;

type PortalServices = Pick<Context, 'db' | 'vault' | 'environment'>;

export interface PortalLink extends Pick<Payment, 'merchant_name' | 'appearance' | 'environment' | 'is_suspended'> {
  token: PortalToken;
  merchant_id: string;
  portal: PortalRow;
  isExpired: boolean;
  first_name: string | undefined;
  actions: readonly PayerActionName[];
}

/** Undefined for an unknown token, and for that of a deleted customer. */
export async function findPortalLink(
  { db, vault, environment }: PortalServices,
  text: string,
): Promise<PortalLink | undefined> {
  const token = readPortalToken(vault.linking, text);
  if (!token) return undefined;
  const { customer_id, expires_at } = token;
  const [customer, portal] = await Promise.all([
    db.customer.findUnique({ where: { id: customer_id, status: 'active' }, include: { merchant: true } }),
    findPortal(db, customer_id),
  ]);
  if (!customer || !portal || customer.merchant.environment !== environment) return undefined;
  const { merchant, merchant_id, name } = customer;
  return {
    token,
    merchant_id,
    portal,
    isExpired: expires_at.getTime() <= Date.now(),
    merchant_name: merchant.name,
    appearance: merchant,
    environment,
    is_suspended: merchant.status === 'suspended',
    first_name: firstName(name),
    actions: merchant.payer_actions as PayerActionName[],
  };
}

export interface PortalView extends PortalLink {
  /** By the clock of the customer. */
  now: Date;
  subscriptions: SubscriptionRow[];
  cards: CardRow[];
  /** Paid charges, with the URLs of their receipts without origin. */
  payments: (TransactionRow & { path: string })[];
}

const NEWEST_FIRST = [{ creation_date: 'desc' }, { id: 'desc' }] as const;

export async function loadPortal({ db, vault, environment }: PortalServices, link: PortalLink): Promise<PortalView> {
  const { merchant_id, portal } = link;
  const { customer_id } = portal;
  const charges = { customer_id, transaction_type: 'charge', status: { in: ['completed', 'refunded'] } };
  const [now, ids, cards, payments] = await Promise.all([
    timeOf({ db, merchant_id, environment }, customer_id),
    db.subscription.findMany({
      where: { customer_id, status: { notIn: ['new', 'cancelled'] } },
      orderBy: [...NEWEST_FIRST],
      take: MAX_SHOWN,
      select: { id: true },
    }),
    db.card.findMany({
      where: { merchant_id, customer_id, status: 'active' },
      orderBy: [...NEWEST_FIRST],
      take: MAX_SHOWN,
      omit: secretColumns,
    }),
    findTransactions(db, { where: charges, orderBy: [...NEWEST_FIRST], take: SHOWN_PAYMENTS }),
  ]);
  const subscriptions = await Promise.all(ids.map(({ id }) => subscriptionById(db, id)));
  return {
    ...link,
    now,
    subscriptions: subscriptions.filter(row => row !== undefined),
    cards: cards.map(narrowCard),
    payments: payments.map(charge => ({ ...charge, path: receiptPath(vault.linking, charge) })),
  };
}
