/** The final records of acquirer, merchant and ledger about the work of an installation. */
import { eventually } from '../flow/until';
import type { RunningApi } from '../servers/apiProgram';
import type { Received } from '../webhooks/endpoint';
import { AMOUNT, type Calls, type Installation } from './installation';

/** The acquirer made one charge for every paid period, and no other. Returns their number. */
export async function expectEachChargedOnce(
  { acquirer }: Installation,
  calls: Calls,
  api: RunningApi,
): Promise<number> {
  const charges: { id: string; status: string; subscription_id?: string }[] = await calls.get(
    api,
    '/charges?limit=1000',
  );
  const paid = charges.filter(({ status, subscription_id }) => subscription_id && status === 'completed');
  const approved = acquirer
    .journal()
    .filter(
      ({ operation, amount, outcome }) => operation === 'charge' && amount === AMOUNT * 100 && outcome === 'approved',
    );
  expect(approved.map(({ key }) => key).sort()).toEqual(paid.map(({ id }) => id).sort());
  return paid.length;
}

export const expectAllDelivered = (calls: Calls, api: RunningApi, received: readonly Received[]): Promise<void> =>
  eventually(async () => {
    const events: { id: string }[] = await calls.get(api, '/events?limit=1000');
    const delivered = new Set(received.map(({ body }) => body.id));
    expect(events.filter(({ id }) => !delivered.has(id))).toEqual([]);
  });
