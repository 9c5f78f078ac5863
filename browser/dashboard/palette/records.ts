/** The search results as choices of the palette. */
import { signal } from '@preact/signals';
import { ask } from '../../shared/api/ask';
import { graphql, type ResultOf } from '../../shared/api/graphql';
import { formatMoment, formatMoney } from '../../shared/format';
import { statusName } from '../../shared/ui/Chip';
import { discountName } from '../coupons/terms';
import { planLabel } from '../plans/terms';
import { navigation } from '../shell/navigation';
import type { Choice } from './choices';
import { t } from './texts';

/** Minimum length of the API. */
export const MIN_CHARACTERS = 3;
const MAX_RECENT = 5;

const FIND = graphql(`
  query Find($text: String!, $code: String!) {
    search(text: $text, limit: 12) {
      record {
        __typename
        ... on Customer { id name last_name email }
        ... on Transaction { id amount transaction_status: status order_id creation_date }
        ... on CustomerSubscription { id subscription_status: status plan { name amount repeat_every repeat_unit } customer { name last_name } }
        ... on Plan { id name amount repeat_every repeat_unit }
      }
    }
    coupons(code: $code, first: 1) { nodes { __typename id code percent_off amount_off } }
  }
`);

type Found = ResultOf<typeof FIND>;
type SearchRecord = NonNullable<Found['search']>[number]['record'] | NonNullable<Found['coupons']>['nodes'][number];

/** The API refuses longer ones. */
const MAX_CODE_LENGTH = 50;

/** Kept in memory only: data of the merchant is not stored in the browser. */
export const recent = signal<Choice[]>([]);

const iconOf = (path: string): string => navigation.find(room => room.path === path)?.icon ?? '';
const nameOf = (person: { name: string; last_name: string | null } | null): string =>
  [person?.name, person?.last_name].filter(Boolean).join(' ');
const join = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' · ');

function toChoice(record: SearchRecord): Choice {
  const { path, text, hint } = describe(record);
  const choice: Choice = {
    key: record.id,
    group: t.found,
    icon: iconOf(path),
    text,
    hint,
    run: navigate => {
      const others = recent.value.filter(({ key }) => key !== record.id);
      recent.value = [{ ...choice, group: t.recent }, ...others].slice(0, MAX_RECENT);
      navigate(`${path}/${record.id}`);
    },
  };
  return choice;
}

function describe(record: SearchRecord): { path: string; text: string; hint: string } {
  switch (record.__typename) {
    case 'Customer':
      return { path: '/customers', text: nameOf(record), hint: join(t.customer, record.email) };
    case 'Plan':
      return { path: '/plans', text: planLabel(record), hint: t.plan };
    case 'Coupon':
      return { path: '/coupons', text: join(record.code, discountName(record)), hint: t.coupon };
    case 'CustomerSubscription':
      return {
        path: '/subscriptions',
        text: join(nameOf(record.customer), planLabel(record.plan)),
        hint: join(t.subscription, statusName(record.subscription_status)),
      };
    case 'Transaction':
      return {
        path: '/charges',
        text: join(formatMoney(record.amount), record.order_id),
        hint: join(t.charge, statusName(record.transaction_status), formatMoment(record.creation_date)),
      };
  }
}

export async function findRecords(text: string, stop: AbortSignal): Promise<Choice[]> {
  const { search, coupons } = await ask(FIND, { text, code: text.slice(0, MAX_CODE_LENGTH) }, { signal: stop });
  return [...(coupons?.nodes ?? []), ...(search ?? []).map(({ record }) => record)].map(toChoice);
}
