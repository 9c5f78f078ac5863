interface Chargeable {
  status: string;
  charge_date: string;
  cancel_at_period_end: boolean;
}

/** Undefined if no charge is scheduled: ended, ending with its period, or unpaid until the card changes. */
export const nextCharge = ({ status, charge_date, cancel_at_period_end }: Chargeable): string | undefined =>
  status === 'cancelled' || status === 'unpaid' || cancel_at_period_end ? undefined : charge_date;
