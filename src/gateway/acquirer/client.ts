/** HTTP client of the acquirer. It unseals card numbers to send them. */
import type { Money } from '../../platform/money';
import type { VaultKeys } from '../../platform/vault/keys';
import { unseal } from '../../platform/vault/unseal';
import type { BreakerStates } from './breakers';
import { APPROVED, errorsByResponseCode } from './codes';
import { AcquirerConnection, type ConnectionOptions, describeRequest } from './connection';
import type {
  Acquirer,
  AcquirerAnswer,
  ChargeDetails,
  FoundOperation,
  PaymentOrder,
  SealedAccount,
  SealedCard,
} from './port';
import { type JsonObject, readAdvice, readCode, readInstructions, readIssuer, readRules } from './readAnswer';

interface ClientOptions extends ConnectionOptions {
  vault: VaultKeys;
}

/** Releases the caller's work slot during the acquirer call. */
type YieldSlot = <T>(io: () => Promise<T>) => Promise<T>;

const dated = (at: Date | undefined): JsonObject => (at ? { date: at.toISOString() } : {});

export class HttpAcquirer implements Acquirer {
  constructor(
    private readonly options: ClientOptions,
    private readonly merchant_id = '',
    /** Operators look up transactions of any merchant through it. */
    readonly connection = new AcquirerConnection(options),
    private readonly yieldSlot: YieldSlot = io => io(),
  ) {}

  /** A client for the requests of one merchant. Merchants share the connections fairly. */
  forMerchant(merchant_id: string, yieldSlot?: YieldSlot): HttpAcquirer {
    return new HttpAcquirer(this.options, merchant_id, this.connection, yieldSlot);
  }

  breakerStates(): BreakerStates {
    return this.connection.breakerStates();
  }

  verify(key: string, card: SealedCard, at?: Date): Promise<AcquirerAnswer> {
    return this.request('verify', { key, card: this.toPlainCard(card), ...dated(at) });
  }

  charge(key: string, card: SealedCard, amount: Money, { at, ...details }: ChargeDetails): Promise<AcquirerAnswer> {
    const order = { key, amount: Number(amount), card: this.toPlainCard(card) };
    return this.request('charge', { ...order, ...dated(at), ...details });
  }

  authorize(key: string, card: SealedCard, amount: Money, { at, ...details }: ChargeDetails): Promise<AcquirerAnswer> {
    const order = { key, amount: Number(amount), card: this.toPlainCard(card) };
    return this.request('authorize', { ...order, ...dated(at), ...details });
  }

  capture(key: string, authorizationKey: string, amount: Money, at?: Date): Promise<AcquirerAnswer> {
    return this.request('capture', { key, of: authorizationKey, amount: Number(amount), ...dated(at) });
  }

  refund(key: string, chargeKey: string, amount: Money, at?: Date): Promise<AcquirerAnswer> {
    return this.request('refund', { key, of: chargeKey, amount: Number(amount), ...dated(at) });
  }

  issue(operation: string, key: string, amount: Money, order: PaymentOrder, at?: Date): Promise<AcquirerAnswer> {
    return this.request(operation, { key, amount: Number(amount), ...order, ...dated(at) });
  }

  payout(key: string, account: SealedAccount, amount: Money, at?: Date): Promise<AcquirerAnswer> {
    const { id, merchant_id, bank, type, number_sealed } = account;
    const number = unseal(this.options.vault, number_sealed, { what: 'account', merchant_id, id });
    return this.request('payout', { key, amount: Number(amount), account: { bank, type, number }, ...dated(at) });
  }

  async withdraw(key: string): Promise<AcquirerAnswer | undefined> {
    const answer = await this.send('POST', '/withdraw', { key });
    return answer?.withdrawn === true ? undefined : this.parseAnswer(`/withdraw ${key}`, answer);
  }

  async reverse(key: string): Promise<void> {
    const answer = await this.send('POST', '/reverse', { key });
    if (answer?.reversed !== true) throw this.connection.noAnswer(`/reverse ${key}`, 'unconfirmed reversal', true);
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
    return this.connection.close();
  }

  private toPlainCard(card: SealedCard): JsonObject {
    const { id, merchant_id, holder_name, expiration_month, expiration_year, number_sealed, cvv2_sealed } = card;
    const { vault } = this.options;
    return {
      reference: id,
      holder_name,
      expiration_month,
      expiration_year,
      number: unseal(vault, number_sealed, { what: 'number', merchant_id, id }),
      ...(cvv2_sealed ? { cvv2: unseal(vault, cvv2_sealed, { what: 'cvv2', merchant_id, id }) } : {}),
    };
  }

  private async request(operation: string, body: JsonObject): Promise<AcquirerAnswer> {
    const path = `/${operation}`;
    return this.parseAnswer(describeRequest(path, body), await this.send('POST', path, body));
  }

  private parseAnswer(request: string, answer: JsonObject | undefined): AcquirerAnswer {
    const { response, authorization, fraud_rules } = answer ?? {};
    if (response === APPROVED && typeof authorization === 'string')
      return {
        approved: true,
        authorization: readCode(authorization),
        ...readInstructions(answer ?? {}),
        ...readIssuer(answer ?? {}),
      };
    const kind =
      typeof response === 'string' && Object.hasOwn(errorsByResponseCode, response)
        ? errorsByResponseCode[response]
        : undefined;
    if (kind) {
      const rules = Array.isArray(fraud_rules) ? { fraud_rules: readRules(fraud_rules) } : {};
      return { approved: false, kind, ...rules, ...readAdvice(answer ?? {}) };
    }
    throw this.connection.noAnswer(request, 'unexpected answer', true);
  }

  private send(method: 'GET' | 'POST', path: string, body?: JsonObject): Promise<JsonObject | undefined> {
    return this.yieldSlot(() => this.connection.send(this.merchant_id, method, path, body));
  }
}
