/** Changes of the amounts of planned charges: a new plan, a discount that begins or ends, extras. */
/** Parts of the amount of a charge. */
export interface Amounts {
  discount: number;
  credit: number;
  extras: { description: string; amount: number }[];
}

export interface ProjectedCharge {
  period: number;
  charge_date: string;
  amount: number;
  /** Null if it is the amount of the plan. */
  invoice: Amounts | null;
}

export type Adjustment = { day: string } & (
  | { mark: 'plan'; to: string }
  | { mark: 'coupon'; period: number; amount: number }
  | { mark: 'coupon'; period: number; isOver: true }
  | { mark: 'extra'; period: number; extras: Amounts['extras'] }
);

export function adjustmentsOf(
  charges: readonly ProjectedCharge[],
  change: { date: string; to: string } | undefined,
): Adjustment[] {
  const adjustments: Adjustment[] = change ? [{ mark: 'plan', day: change.date, to: change.to }] : [];
  const seen = new Set<number>();
  let discounted = 0;
  for (const { period, charge_date: day, invoice } of charges) {
    // Simulated retries repeat their period.
    if (seen.has(period)) continue;
    seen.add(period);
    const { discount: amount = 0, extras = [] } = invoice ?? {};
    if (amount > 0 && amount !== discounted) adjustments.push({ mark: 'coupon', day, period, amount });
    if (amount === 0 && discounted > 0) adjustments.push({ mark: 'coupon', day, period, isOver: true });
    if (extras.length > 0) adjustments.push({ mark: 'extra', day, period, extras });
    discounted = amount;
  }
  return adjustments;
}
