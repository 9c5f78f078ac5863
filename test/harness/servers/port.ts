import { atTheEnd } from '../flow/atTheEnd';
import { claimPort } from '../world/port';

/** A port that no other test receives before this one ends. */
export async function testPort(): Promise<number> {
  const { port, release } = await claimPort();
  atTheEnd(release);
  return port;
}
