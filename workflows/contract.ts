/** What the workflows and the rest of the program agree on: names, shapes, and the activities that workflows need. */

export const TASK_QUEUE = 'recaudo';

/** The schedule of the sweep, and the id of its runs. */
export const SWEEP = 'sweep';
export const SWEEP_EVERY = '10 minutes';

/** How many rows of each kind were swept. */
export type Swept = Record<string, number>;

export interface SweepActivities {
  sweepExpired(): Promise<Swept>;
}

/** The workflow that ends what was only begun: a reserved charge that nobody captures. */
export const expiryId = (transaction_id: string): string => `expiry-${transaction_id}`;

/** Why it is over, or how long to wait before the next look. */
export type ExpiryStep = { over: string } | { waitMs: number };

export interface ExpiryActivities {
  expire(transaction_id: string): Promise<ExpiryStep>;
}
