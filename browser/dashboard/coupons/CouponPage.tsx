import { Link } from 'wouter-preact';
import { required } from '../../shared/api/required';
import { Chip } from '../../shared/ui/Chip';
import { Facts, Id } from '../../shared/ui/Facts';
import { Day, Moment } from '../../shared/ui/Figures';
import { PageHead } from '../../shared/ui/PageHead';
import { useQuery } from '../api/useQuery';
import { MetadataSection } from '../metadata/MetadataSection';
import { planLabel } from '../plans/terms';
import { DeleteButton } from '../ui/DeleteButton';
import { ObjectPage } from '../ui/ObjectPage';
import { Section } from '../ui/Section';
import { COUPON, type CouponFacts, DELETE_COUPON } from './operations';
import { couponTerms, discountName, durationName, endOf, redeemedName } from './terms';
import { t } from './texts';

const FACTS = [
  'percent_off',
  'amount_off',
  'duration',
  'periods',
  'redemptions',
  'max_redemptions',
  'redeem_by',
  'plan_ids',
].map(field => `coupon.${field}`);

export function CouponPage({ id }: { id: string }) {
  const loaded = useQuery(COUPON, { id }, { refreshOn: ({ name }) => name.startsWith('subscription.') });
  return (
    <ObjectPage of={loaded}>
      {({ coupon, plans }) => (
        <CouponView
          coupon={required(coupon)}
          planNames={new Map((plans?.nodes ?? []).map(plan => [plan.id, planLabel(plan)]))}
        />
      )}
    </ObjectPage>
  );
}

function CouponView({ coupon, planNames }: { coupon: CouponFacts; planNames: ReadonlyMap<string, string> }) {
  const { id, code, redemptions, max_redemptions: most, redeem_by, plan_ids, creation_date, metadata } = coupon;
  const end = endOf(coupon);
  return (
    <>
      <PageHead
        title={code}
        action={
          coupon.status === 'active' && <DeleteButton id={id} operation={DELETE_COUPON} list="/coupons" texts={t} />
        }
      >
        {end && <Chip status="expired" name={end} />}
        <span class="hint">{couponTerms(coupon)}</span>
      </PageHead>
      <Section title={t.facts} fields={FACTS}>
        <Facts
          of={[
            [t.discount, discountName(coupon)],
            [t.duration, durationName(coupon)],
            [
              t.redemptions,
              <>
                {redeemedName(coupon)}
                {most !== null && <meter class="used" min={0} max={most} value={redemptions} aria-hidden="true" />}
              </>,
            ],
            [t.redeemBy, redeem_by && <Day on={redeem_by} />],
            [
              t.plans,
              plan_ids === null ? (
                t.allPlans
              ) : (
                <ul class="plain">
                  {plan_ids.map(plan => (
                    <li key={plan}>
                      <Link href={`/plans/${plan}`}>{planNames.get(plan) ?? t.deletedPlan}</Link>
                    </li>
                  ))}
                </ul>
              ),
            ],
            [t.created, <Moment key="created" at={creation_date} />],
            [t.id, <Id key="id" id={id} />],
          ]}
        />
      </Section>
      <MetadataSection of={metadata} />
    </>
  );
}
