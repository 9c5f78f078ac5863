/** A payer who pays a due period in another way than by card, or begins to. */
import type { Client } from './client';
import { pick, type Random } from './random';

const METHODS = ['bre_b', 'bank_account', 'store'];

/** `path`: of the subscription. A form without an answer may have had its effect. */
export async function payOtherwise(client: Client, random: Random, path: string): Promise<void> {
  const { status, body: link } = await client.post(`${path}/link`, {});
  if (status !== 200) return;
  const submit = (step: string, form: Record<string, string> = {}) =>
    fetch(`${link.url}/${step}`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }).catch(
      () => undefined,
    );
  await submit('pay', { method: pick(random, METHODS) });
  const { body } = await client.get(path);
  if (body.waiting_for !== 'payment') return;
  const dice = random();
  const decide = (outcome: string) => client.post(`/sandbox/charges/${body.transaction_id}/pay`, { outcome });
  if (dice < 0.5) await decide('approved');
  else if (dice < 0.6) await decide('REJECTED');
  else if (dice < 0.8) await submit('other');
}
