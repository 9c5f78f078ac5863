import { rm } from 'node:fs/promises';
import { canaries } from '../cards/canaries';

/** Stops the servers, then searches everything that servers and programs have written for card numbers. */
export default async function teardown(): Promise<void> {
  await Promise.all(testServers.processes.map(managed => managed.down()));
  const leaks = canaries.inFiles(testServers.directory);
  await rm(testServers.directory, { recursive: true, force: true });
  if (leaks.length > 0) throw new Error(`Card numbers or security codes were written to ${leaks.join(', ')}`);
}
