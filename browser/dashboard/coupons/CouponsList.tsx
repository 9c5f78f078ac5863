import { useLocation } from 'wouter-preact';
import { asEntered } from '../../shared/api/amounts';
import { ask } from '../../shared/api/ask';
import { required } from '../../shared/api/required';
import { Chip } from '../../shared/ui/Chip';
import { Id } from '../../shared/ui/Facts';
import { Day, Moment, Whole } from '../../shared/ui/Figures';
import { omitUndefined } from '../api/omitUndefined';
import { useQuery } from '../api/useQuery';
import { PLAN_CHOICES } from '../links/operations';
import { type Column, type ListDefinition, pageOfConnection, windowOf } from '../lists/definition';
import { ListPage } from '../lists/ListPage';
import { spanOf } from '../lists/span';
import { metadataFilter, metadataIn } from '../metadata/filter';
import { metadataField, metadataOf } from '../metadata/metadata';
import { planLabel } from '../plans/terms';
import { ActionButton, type Values } from '../ui/ActionButton';
import { COUPONS, type CouponFacts, CREATE_COUPON } from './operations';
import { discountName, durationName, endOf, redeemedName } from './terms';
import { t } from './texts';

const columns: Column<CouponFacts>[] = [
  { key: 'code', name: t.code, cell: ({ code }) => code, text: ({ code }) => code },
  { key: 'discount', name: t.discount, cell: row => <Whole>{discountName(row)}</Whole>, text: discountName },
  { key: 'duration', name: t.duration, cell: durationName, text: durationName },
  {
    key: 'redemptions',
    name: t.redemptions,
    cell: row => (
      <>
        {redeemedName(row)} {endOf(row) && <Chip status="expired" name={endOf(row) ?? ''} />}
      </>
    ),
    text: ({ redemptions }) => redemptions,
  },
  {
    key: 'until',
    name: t.redeemBy,
    cell: ({ redeem_by }) => redeem_by && <Day on={redeem_by} />,
    text: ({ redeem_by }) => redeem_by,
  },
  {
    key: 'created',
    name: t.created,
    cell: ({ creation_date }) => <Moment at={creation_date} />,
    text: ({ creation_date }) => creation_date,
  },
  { key: 'id', name: t.id, cell: ({ id }) => <Id id={id} />, text: ({ id }) => id, isFurther: true },
];

const list: ListDefinition<CouponFacts> = {
  path: '/coupons',
  title: t.title,
  about: t.about,
  columns,
  filters: [
    { key: 'code', name: t.code, kind: 'text' },
    { key: 'created', name: t.created, kind: 'days' },
    metadataFilter,
  ],
  keyOf: ({ id }) => id,
  href: ({ id }) => `/coupons/${id}`,
  load: async ({ code, created, metadata }, page, signal) => {
    const variables = omitUndefined({ code, metadata: metadataIn(metadata), ...spanOf(created) });
    return pageOfConnection(required((await ask(COUPONS, { ...variables, ...windowOf(page) }, { signal })).coupons));
  },
  refreshOn: ({ name }) => name.startsWith('subscription.'),
};

/** Fields that do not apply are not in the form. */
const couponOf = (values: Values) => {
  const { code = '', kind, percent_off, amount_off, duration, periods, max_redemptions, redeem_by, plan_ids } = values;
  return {
    code,
    duration: duration as CouponFacts['duration'],
    ...(kind === 'percent'
      ? { percent_off: Number((percent_off ?? '').replace(',', '.')) }
      : { amount_off: asEntered(amount_off) }),
    ...(periods && { periods: Number(periods) }),
    ...(max_redemptions && { max_redemptions: Number(max_redemptions) }),
    ...(redeem_by && { redeem_by }),
    ...(plan_ids && { plan_ids: plan_ids.split(',') }),
    ...omitUndefined({ metadata: metadataOf(values) }),
  };
};

export function CouponsList() {
  const [, navigate] = useLocation();
  const plans = useQuery(PLAN_CHOICES, {}).data?.plans?.nodes ?? [];
  const create = async (values: Values, key: string) => {
    const { createCoupon } = await ask(CREATE_COUPON, { coupon: couponOf(values) }, { key });
    navigate(`/coupons/${required(createCoupon).id}`);
    return t.made;
  };
  const action = (
    <ActionButton
      label={t.create}
      kind="primary"
      question={t.createHint}
      fields={[
        { name: 'code', label: t.code, hint: t.codeHint },
        { name: 'kind', label: t.discount, type: 'select', options: Object.entries(t.kinds) },
        { name: 'percent_off', label: t.percent, hint: t.percentHint, onlyWith: ['kind', 'percent'] },
        { name: 'amount_off', label: t.amountOff, type: 'amount', onlyWith: ['kind', 'amount'] },
        { name: 'duration', label: t.duration, type: 'select', options: Object.entries(t.durations) },
        { name: 'periods', label: t.periods, type: 'number', value: 3, onlyWith: ['duration', 'periods'] },
        { name: 'max_redemptions', label: t.most, type: 'number', hint: t.mostHint, isOptional: true, isFurther: true },
        {
          name: 'redeem_by',
          label: t.optionalRedeemBy,
          type: 'date',
          hint: t.redeemByHint,
          isOptional: true,
          isFurther: true,
        },
        ...(plans.length > 0
          ? [
              {
                name: 'plan_ids',
                label: t.plans,
                type: 'choices',
                hint: t.plansHint,
                options: plans.map(plan => [plan.id, planLabel(plan)] as const),
                isFurther: true,
              } as const,
            ]
          : []),
        { ...metadataField(), isFurther: true },
      ]}
      run={create}
    />
  );
  return <ListPage of={list} action={action} start={<p class="hint">{t.fill}</p>} />;
}
