interface Chargeable {
  status: string;
  charge_date: string;
  cancel_at_period_end: boolean;
  pause: { resume_date: string | null } | null;
}

/** Undefined if no charge is scheduled: ended, ending with its period, or unpaid until the card changes, or paused without an end. */
export const nextCharge = (of: Chargeable): string | undefined =>
  of.status === 'cancelled' ||
  of.status === 'unpaid' ||
  of.cancel_at_period_end ||
  (of.pause && of.pause.resume_date === null && of.status !== 'past_due')
    ? undefined
    : of.charge_date;
