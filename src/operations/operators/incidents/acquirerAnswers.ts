/** What the acquirer answers when it is asked for what it has done of a transaction. Asking changes nothing. */
import type { Environment } from '../../../../prisma/generated/enums';
import { APPROVED, errorsByResponseCode } from '../../../gateway/acquirer/codes';
import { captureKey, chargeKey } from '../../../payments/charges/card/acquirerKeys';
import type { TransactionRow } from '../../../payments/charges/rows';
import type { OperatorCommandInput } from '../command';

/** Each is a request. */
const MAX_ASKED = 20;

export interface AcquirerLine {
  key: string;
  text: string;
}

/** The latest transactions come first. */
export async function acquirerAnswers(
  acquirers: OperatorCommandInput['acquirers'],
  environment: Environment,
  transactions: readonly TransactionRow[],
): Promise<AcquirerLine[]> {
  const keys = transactions.slice(0, MAX_ASKED).flatMap(row => keysOf(row).map(key => [key, row.merchant_id] as const));
  if (keys.length === 0) return [];
  const acquirer = acquirers?.[environment];
  if (!acquirer) return [{ key: '', text: `not asked: the acquirer of ${environment} is not configured here` }];
  return Promise.all(
    keys.map(async ([key, merchant_id]) => ({
      key,
      text: await acquirer.send(merchant_id, 'GET', `/operations/${encodeURIComponent(key)}`).then(
        answer => describe(answer),
        ({ message }) => `gives no answer: ${message}`,
      ),
    })),
  );
}

function keysOf(row: TransactionRow): string[] {
  if (row.transaction_type === 'fee') return [];
  const isCaptured = row.transaction_type === 'charge' && !row.capture && row.attempts > 0;
  return [chargeKey(row), ...(isCaptured ? [captureKey(row)] : [])];
}

function describe(answer: Record<string, unknown> | undefined): string {
  if (!answer) return 'knows nothing of it';
  const { response, authorization, reversed } = answer;
  const kind = typeof response === 'string' ? errorsByResponseCode[response] : undefined;
  const said = response === APPROVED ? `approved, authorization ${authorization}` : `refused: ${kind ?? response}`;
  return reversed === true ? `${said}; reversed` : said;
}
