interface Chargeable {
  status: string;
  charge_date: string;
  cancel_at_period_end: boolean;
}

/**
 * The day of the next charge; undefined where none comes. One that has ended is not charged any more, one that ends with
 * its period neither, and one that is unpaid not before it has another card.
 */
export const nextCharge = ({ status, charge_date, cancel_at_period_end }: Chargeable): string | undefined =>
  status === 'cancelled' || status === 'unpaid' || cancel_at_period_end ? undefined : charge_date;
