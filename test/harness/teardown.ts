import { rm } from 'node:fs/promises';
import type { Stand } from './setup';

export default async function teardown(): Promise<void> {
  const { stand } = globalThis as unknown as { stand: Stand };
  await Promise.all(stand.parts.map(part => part.down()));
  await rm(stand.directory, { recursive: true, force: true });
}
