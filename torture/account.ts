/** Creates a sandbox merchant whose webhook is the listener. */

import { createMerchant } from '../src/accounts/merchants/accounts';
import type { Database } from '../src/platform/database/connection';
import { Client } from './client';
import type { Listener } from './listener';
import type { Random } from './random';

export interface TortureTarget {
  url: string;
  db: Database;
  apiKeySecret: string;
}

export interface Account {
  id: string;
  newClient(name: string, random: Random): Client;
  /** A client without timeouts. */
  calm: Client;
}

export async function openAccount({ url, db, apiKeySecret }: TortureTarget, listener: Listener): Promise<Account> {
  const details = { environment: 'sandbox', name: 'Torture', email: 'torture@example.com', phone: '60112345' } as const;
  const { id, private_key } = await createMerchant(db, details, apiKeySecret);
  const newClient = (name: string, random: Random) => new Client(`${url}/v1/${id}`, private_key, name, random);
  const calm = newClient('setup', () => 1);
  const { body: webhook } = await calm.post('/webhooks', { url: listener.urlFor(id) });
  listener.expectSignature(id, webhook.secret);
  await calm.getUntil(`/webhooks/${webhook.id}`, ({ status }) => status === 'verified');
  return { id, newClient, calm };
}
