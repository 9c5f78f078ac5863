/** Looks up transactions at the acquirer, without side effects. */
import type { Environment } from '../../../../prisma/generated/enums';
import { APPROVED, errorsByResponseCode } from '../../../gateway/acquirer/codes';
import { captureKey, chargeKey } from '../../../payments/charges/card/acquirerKeys';
import type { TransactionRow } from '../../../payments/charges/rows';
import type { Language } from '../../../platform/language';
import type { AcquirerConnections } from '../command';
import { storyWords } from './storyWords';

/** Limits the requests to the acquirer. */
const MAX_LOOKUPS = 20;

export interface AcquirerLine {
  key: string;
  text: string;
}

export async function acquirerAnswers(
  acquirers: AcquirerConnections | undefined,
  environment: Environment,
  transactions: readonly TransactionRow[],
  language: Language,
): Promise<AcquirerLine[]> {
  const words = storyWords[language];
  const keys = transactions
    .slice(0, MAX_LOOKUPS)
    .flatMap(row => keysOf(row).map(key => [key, row.merchant_id] as const));
  if (keys.length === 0) return [];
  const acquirer = acquirers?.[environment];
  if (!acquirer) return [{ key: '', text: words.notQueried(environment) }];
  return Promise.all(
    keys.map(async ([key, merchant_id]) => ({
      key,
      text: await acquirer.send(merchant_id, 'GET', `/operations/${encodeURIComponent(key)}`).then(
        answer => describe(answer, language),
        ({ message }) => words.silent(message),
      ),
    })),
  );
}

function keysOf(row: TransactionRow): string[] {
  if (row.transaction_type === 'fee') return [];
  const isCaptured = row.transaction_type === 'charge' && !row.capture && row.attempts > 0;
  return [chargeKey(row), ...(isCaptured ? [captureKey(row)] : [])];
}

function describe(answer: Record<string, unknown> | undefined, language: Language): string {
  const words = storyWords[language];
  if (!answer) return words.unknown;
  const { response, authorization, reversed } = answer;
  const kind = typeof response === 'string' ? errorsByResponseCode[response] : undefined;
  const outcome = response === APPROVED ? words.approved(`${authorization}`) : words.declined(`${kind ?? response}`);
  return reversed === true ? `${outcome}; ${words.reversed}` : outcome;
}
