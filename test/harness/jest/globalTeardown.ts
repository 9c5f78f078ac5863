import { rm } from 'node:fs/promises';
import { canaries } from '../cards/canaries';
import type { Stand } from './globalSetup';

/** At the end of the run everything that the servers and programs have written is searched for card numbers. */
export default async function teardown(): Promise<void> {
  const { stand } = globalThis as unknown as { stand: Stand };
  await Promise.all(stand.parts.map(part => part.down()));
  const found = canaries.inFiles(stand.directory);
  await rm(stand.directory, { recursive: true, force: true });
  if (found.length > 0) throw new Error(`Card numbers or security codes were written to ${found.join(', ')}`);
}
