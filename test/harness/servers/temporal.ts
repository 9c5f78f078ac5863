import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { openTemporal } from '../../../src/platform/temporal';
import { registerNamespace, temporalAddress } from '../world/temporal';

/** A namespace for one test file, so that its worker gets only its own work. */
export function testNamespace(): { name: string; client(): Client } {
  const name = `test-${randomBytes(8).toString('hex')}`;
  let client: Client;
  beforeAll(async () => {
    client = openTemporal(temporalAddress(), name);
    await registerNamespace(client);
  });
  afterAll(() => client.connection.close());
  return { name, client: () => client };
}
