/**
 * The HTTP client of the acquirer. It opens the vault to send card numbers. Environments differ by URL and credential
 * only.
 */
import { Pool } from 'undici';
import { CircuitBreaker } from '../platform/circuitBreaker';
import type { Log } from '../platform/log';
import type { Money } from '../platform/money';
import type { VaultKeys } from '../vault/keys';
import { unseal } from '../vault/unseal';
import { APPROVED, errorsByResponseCode } from './codes';
import {
  type Acquirer,
  type AcquirerAnswer,
  type BankOrder,
  type FoundOperation,
  NoAnswerError,
  type SealedCard,
} from './port';
import { type JsonObject, readAnswer, readInstructions, readRules } from './readAnswer';

interface ClientOptions {
  url: string;
  /** The credential that the acquirer has given us. */
  key: string;
  vault: VaultKeys;
  log: Log;
  /** For one operation, including its retry. */
  timeoutMs?: number;
}

/** The connection broke before there was an answer; because of its key the request can safely be sent again. */
const RETRYABLE_ERRORS = /^(ECONNREFUSED|ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/;
const DEFAULT_TIMEOUT_MS = 10_000;

const dated = (at: Date | undefined): JsonObject => (at ? { date: at.toISOString() } : {});

export class HttpAcquirer implements Acquirer {
  private readonly pool: Pool;
  private readonly path: string;
  private readonly breaker = new CircuitBreaker();

  constructor(private readonly options: ClientOptions) {
    const { origin, pathname } = new URL(options.url);
    this.path = pathname.replace(/\/$/, '');
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
    this.pool = new Pool(origin, { connections: 50, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  }

  verify(key: string, card: SealedCard, at?: Date): Promise<AcquirerAnswer> {
    return this.request('verify', { key, card: this.toPlainCard(card), ...dated(at) });
  }

  charge(key: string, card: SealedCard, amount: Money, at?: Date): Promise<AcquirerAnswer> {
    return this.request('charge', { key, amount: Number(amount), card: this.toPlainCard(card), ...dated(at) });
  }

  authorize(key: string, card: SealedCard, amount: Money, at?: Date): Promise<AcquirerAnswer> {
    return this.request('authorize', { key, amount: Number(amount), card: this.toPlainCard(card), ...dated(at) });
  }

  capture(key: string, authorizationKey: string, amount: Money): Promise<AcquirerAnswer> {
    return this.request('capture', { key, of: authorizationKey, amount: Number(amount) });
  }

  refund(key: string, chargeKey: string, amount: Money): Promise<AcquirerAnswer> {
    return this.request('refund', { key, of: chargeKey, amount: Number(amount) });
  }

  issueVoucher(key: string, amount: Money, expiresAt: Date): Promise<AcquirerAnswer> {
    return this.request('voucher', { key, amount: Number(amount), expires: expiresAt.toISOString() });
  }

  openBankPayment(key: string, amount: Money, order: BankOrder): Promise<AcquirerAnswer> {
    return this.request('bank', { key, amount: Number(amount), ...order });
  }

  async withdraw(key: string): Promise<AcquirerAnswer | undefined> {
    const answer = await this.send('POST', '/withdraw', { key });
    return answer?.withdrawn === true ? undefined : this.parseAnswer(`/withdraw ${key}`, answer);
  }

  async reverse(key: string): Promise<void> {
    const answer = await this.send('POST', '/reverse', { key });
    if (answer?.reversed !== true) throw this.noAnswer(`/reverse ${key}`, 'a reversal that is not confirmed', true);
  }

  async find(key: string): Promise<FoundOperation> {
    const answer = await this.send('GET', `/operations/${encodeURIComponent(key)}`);
    if (!answer) return { known: false };
    return { known: true, reversed: answer.reversed === true, answer: this.parseAnswer(`/operations/${key}`, answer) };
  }

  async simulate(order: string, body: object): Promise<void> {
    await this.send('POST', `/${order}`, { ...body });
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private toPlainCard(card: SealedCard): JsonObject {
    const { id: reference, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed } = card;
    const { vault } = this.options;
    return {
      reference,
      holder_name,
      expiration_month,
      expiration_year,
      number: unseal(vault, number_sealed, `number ${reference}`),
      ...(cvv2_sealed ? { cvv2: unseal(vault, cvv2_sealed, `cvv2 ${reference}`) } : {}),
    };
  }

  private async request(operation: string, body: JsonObject): Promise<AcquirerAnswer> {
    const path = `/${operation}`;
    return this.parseAnswer(describeRequest(path, body), await this.send('POST', path, body));
  }

  private parseAnswer(request: string, answer: JsonObject | undefined): AcquirerAnswer {
    const { response, authorization, fraud_rules } = answer ?? {};
    if (response === APPROVED && typeof authorization === 'string')
      return { approved: true, authorization, ...readInstructions(answer ?? {}) };
    const kind =
      typeof response === 'string' && Object.hasOwn(errorsByResponseCode, response)
        ? errorsByResponseCode[response]
        : undefined;
    if (kind)
      return { approved: false, kind, ...(Array.isArray(fraud_rules) ? { fraud_rules: readRules(fraud_rules) } : {}) };
    throw this.noAnswer(request, 'an answer that is none of the agreed ones', true);
  }

  /** Undefined if the acquirer does not know the key. A broken connection is retried once, within the same timeout. */
  private async send(method: 'GET' | 'POST', path: string, body?: JsonObject): Promise<JsonObject | undefined> {
    if (!this.breaker.allowsRequest()) throw new NoAnswerError('the acquirer is away', false);
    const signal = AbortSignal.timeout(this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    const request = {
      method,
      path: `${this.path}${path}`,
      headers: { authorization: `Bearer ${this.options.key}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal,
    };
    const described = describeRequest(path, body);
    let mayHaveArrived = false;
    for (let attempt = 1; ; attempt++) {
      try {
        const { statusCode, body: stream } = await this.pool.request(request);
        const json = await readAnswer(stream);
        this.breaker.recordSuccess();
        if (statusCode === 404 && method === 'GET' && json?.known === false) return undefined;
        if (statusCode === 200 && json) return json;
        throw this.noAnswer(described, `status ${statusCode}${json ? '' : ' without JSON'}`, true);
      } catch (error) {
        if (error instanceof NoAnswerError) throw error;
        const { code, name } = error as NodeJS.ErrnoException;
        mayHaveArrived ||= code !== 'ECONNREFUSED';
        if (attempt === 1 && RETRYABLE_ERRORS.test(String(code))) continue;
        this.breaker.recordFailure();
        throw this.noAnswer(described, typeof code === 'string' ? code : name, mayHaveArrived);
      }
    }
  }

  private noAnswer(request: string, reason: string, sent: boolean): NoAnswerError {
    this.options.log.warn(`no answer from the acquirer to ${request}: ${reason}`);
    return new NoAnswerError(reason, sent);
  }
}

/** For the log. The key begins with the id of the transaction or card; of the rest of a body nothing may be told. */
const describeRequest = (path: string, body?: JsonObject): string =>
  typeof body?.key === 'string' ? `${path} ${body.key}` : path;
