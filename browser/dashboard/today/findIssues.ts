/** The pending issues, most severe first. */
import { formatDay, formatMoment, formatMoney, formatNumber, toCentavos } from '../../shared/format';
import { nextCharge } from '../subscriptions/nextCharge';
import { fullName } from '../ui/names';
import { t } from './issueTexts';
import { MAX_CHECKED, type TodayData } from './query';

export interface Issue {
  key: string;
  tone: 'bad' | 'warn' | 'info';
  text: string;
  href: string;
  /** Details of an issue with several objects. */
  items?: { href: string; text: string }[];
}

const DAY_MS = 86_400_000;
/** The acquirer responds within seconds; longer waits are an issue. */
const WAITING_MS = 60_000;
const PAYOUT_NOTICE_DAYS = 7;

const atLeast = (count: number, checked: number): string =>
  `${formatNumber(count)}${checked === MAX_CHECKED ? '+' : ''}`;

const SEVERITIES = ['bad', 'warn', 'info'];

export const findIssues = (data: TodayData, now: number): Issue[] =>
  [
    ...merchantIssues(data),
    ...webhookIssues(data),
    ...keyIssues(data, now),
    ...renewalIssues(data, now),
    ...creditIssues(data),
    ...paymentIssues(data, now),
  ].sort((a, b) => SEVERITIES.indexOf(a.tone) - SEVERITIES.indexOf(b.tone));

function merchantIssues({ merchant, liveRequest }: TodayData): Issue[] {
  const issues: Issue[] = [];
  if (merchant?.status === 'suspended')
    issues.push({
      key: 'suspended',
      tone: 'bad',
      text: t.suspended(merchant.suspension_reason ?? ''),
      href: '/settings',
    });
  if (merchant && merchant.balance < 0)
    issues.push({ key: 'balance', tone: 'bad', text: t.balance(formatMoney(merchant.balance)), href: '/statement' });
  const reason = liveRequest?.reason ?? '';
  if (liveRequest?.status === 'returned')
    issues.push({ key: 'live', tone: 'warn', text: t.returned(reason), href: '/live' });
  if (liveRequest?.status === 'approved' && !liveRequest.keys_collected_at)
    issues.push({ key: 'live', tone: 'info', text: t.approved, href: '/live' });
  if (liveRequest?.status === 'refused')
    issues.push({ key: 'live', tone: 'bad', text: t.refused(reason), href: '/live' });
  return issues;
}

const webhookIssues = ({ webhooks }: TodayData): Issue[] =>
  (webhooks?.nodes ?? []).flatMap(({ id, url, status, failing_since }): Issue[] => {
    const issue = { key: id, href: `/webhooks/${id}` };
    if (status === 'disabled') return [{ ...issue, tone: 'bad', text: t.disabled(url) }];
    if (status === 'unverified') return [{ ...issue, tone: 'warn', text: t.unverified(url) }];
    return failing_since ? [{ ...issue, tone: 'bad', text: t.failing(url, formatMoment(failing_since)) }] : [];
  });

/** Rotated keys that are still valid. */
const keyIssues = ({ keys }: TodayData, now: number): Issue[] =>
  (keys?.nodes ?? []).flatMap(({ id, name, masked, expires_at }): Issue[] => {
    if (!expires_at || Date.parse(expires_at) <= now) return [];
    return [{ key: id, tone: 'warn', text: t.key(name ?? masked, formatMoment(expires_at)), href: `/keys/${id}` }];
  });

function renewalIssues({ underWay, soon, stats }: TodayData, now: number): Issue[] {
  const issues: Issue[] = [];
  const waiting = (underWay?.nodes ?? []).filter(
    ({ subscription_id, creation_date }) => subscription_id && now - Date.parse(creation_date) > WAITING_MS,
  );
  const oldest = waiting.at(-1);
  if (oldest) {
    const count = atLeast(waiting.length, underWay?.nodes.length ?? 0);
    const text = t.waiting(count, formatMoment(oldest.creation_date));
    issues.push({ key: 'waiting', tone: 'warn', text, href: '/charges?status=in_progress' });
  }
  const expiring = (soon?.nodes ?? []).filter(subscription => {
    const next = nextCharge(subscription);
    return next !== undefined && lastMonthOf(subscription.card) < next.slice(0, 7);
  });
  const items = expiring.map(({ id, customer, card, charge_date }) => ({
    href: `/subscriptions/${id}`,
    text: t.expires(
      [customer?.name, customer?.last_name].filter(Boolean).join(' '),
      `${card.brand} ${card.card_number.slice(-4)}`,
      `${card.expiration_month}/${card.expiration_year}`,
      formatDay(charge_date),
    ),
  }));
  const text = t.expiring(atLeast(expiring.length, soon?.nodes.length ?? 0));
  if (items[0]) issues.push({ key: 'expiring', tone: 'warn', text, href: items[0].href, items });
  for (const status of ['past_due', 'unpaid'] as const) {
    const count = stats?.subscriptions[status] ?? 0;
    if (count > 0)
      issues.push({ key: status, tone: 'warn', text: t[status](count), href: `/subscriptions?status=${status}` });
  }
  return issues;
}

/** Credit of ended subscriptions, which the merchant returns to the payers. */
function creditIssues({ owed }: TodayData): Issue[] {
  const nodes = owed?.nodes ?? [];
  const [first] = nodes;
  if (!first) return [];
  const items = nodes.map(({ id, customer, credit_balance }) => ({
    href: `/subscriptions/${id}`,
    text: t.owedTo(customer ? fullName(customer) : t.deletedCustomer, formatMoney(credit_balance ?? 0)),
  }));
  const sum = toCentavos(nodes.reduce((sum, { credit_balance }) => sum + (credit_balance ?? 0), 0));
  const text = t.owed(atLeast(nodes.length, nodes.length), formatMoney(sum));
  return [{ key: 'owed', tone: 'warn', text, href: items[0]?.href ?? '', items }];
}

/** Such as `2026-11`. Cards are valid until the end of the month. */
const lastMonthOf = ({ expiration_month, expiration_year }: { expiration_month: string; expiration_year: string }) =>
  `20${expiration_year.slice(-2)}-${expiration_month.padStart(2, '0')}`;

function paymentIssues({ chargebacks, settlements, failedPayouts }: TodayData, now: number): Issue[] {
  const issues: Issue[] = [];
  const [edge] = chargebacks?.edges ?? [];
  if (chargebacks && edge) {
    const href = chargebacks.totalCount === 1 ? `/charges/${edge.node.id}` : '/charges?status=chargeback_pending';
    issues.push({ key: 'chargebacks', tone: 'bad', text: t.chargebacks(chargebacks.totalCount), href });
  }
  for (const { id, day, differences } of settlements?.nodes ?? [])
    if (differences > 0)
      issues.push({
        key: id,
        tone: 'warn',
        text: t.differences(formatDay(day), differences),
        href: `/settlements/${id}`,
      });
  const [payout] = failedPayouts?.nodes ?? [];
  if (payout && now - Date.parse(payout.creation_date) < PAYOUT_NOTICE_DAYS * DAY_MS) {
    const text = t.payout(formatMoney(payout.amount), formatMoment(payout.creation_date));
    issues.push({ key: payout.id, tone: 'bad', text, href: `/payouts/${payout.id}` });
  }
  return issues;
}
