/**
 * The token in the URL of a payer's page, derived from the subscription and the generation of its link under a key of its
 * own. So no secret is stored, workers can put the link into e-mails, and the next generation ends all former links.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../../../prisma/generated/enums';

const TOKEN = /^(s[0-9a-z]{19})_[0-9a-f]{32}$/;

/** The key and the origins of links. */
export interface PayerPages {
  key: Buffer;
  origins: Partial<Record<Environment, string | undefined>>;
}

/** The signature has 128 bits. */
const tokenOf = (key: Buffer, subscription_id: string, generation: number): string =>
  `${subscription_id}_${createHmac('sha256', key).update(`${subscription_id} ${generation}`).digest('hex').slice(0, 32)}`;

interface LinkGeneration {
  subscription_id: string;
  generation: number;
}

export const payerPageUrl = (origin: string, key: Buffer, { subscription_id, generation }: LinkGeneration): string =>
  `${origin}/s/${tokenOf(key, subscription_id, generation)}`;

/** Undefined for a text that cannot be a token. */
export const subscriptionIdIn = (token: string): string | undefined => TOKEN.exec(token)?.[1];

export function isTokenOf(key: Buffer, token: string, { subscription_id, generation }: LinkGeneration): boolean {
  const [given, valid] = [Buffer.from(token), Buffer.from(tokenOf(key, subscription_id, generation))];
  return given.length === valid.length && timingSafeEqual(given, valid);
}
