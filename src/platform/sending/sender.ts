/** Sends a POST to a URL that a merchant chose. Its server may be slow or hostile. */
import { describeProblem, type ProblemCode } from '../problems/catalogue';
import { ConnectionPools, type PoolOptions } from './connectionPools';
import { describeFailure } from './failureMessages';
import { post } from './post';
import { addressProblem } from './publicAddress';

export interface OutgoingRequest {
  /** Each owner has its own connections, so that a slow endpoint does not delay other owners of the same host. */
  ownerId: string;
  url: string;
  headers: Record<string, string | undefined>;
  body: string | Buffer;
}

export interface EndpointResponse {
  status: number;
  /** The first bytes of the body, as text. */
  answer: string;
  durationMs: number;
  /** The delay that the response asks for. */
  retryAfterSeconds?: number | undefined;
}

/** The merchant sees the message, so it never contains an internal address. */
export class DeliveryFailure extends Error {
  constructor(
    message: string,
    readonly durationMs: number,
  ) {
    super(message);
  }
}

interface ParsedUrl {
  /** Why it is refused. */
  problem: ProblemCode | undefined;
  origin: string;
  path: string;
}

const MAX_PARSED_URLS = 1000;

/** Seconds, or an HTTP date. Undefined if it is neither. */
function readRetryAfter(header = ''): number | undefined {
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const seconds = Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return seconds > 0 ? seconds : undefined;
}

export class Sender {
  private readonly pools: ConnectionPools;
  private readonly timeoutMs: number;
  /** A cache, because parsing a URL costs as much as a signature. */
  private readonly parsedUrls = new Map<string, ParsedUrl>();

  /** `strict` (production) allows only https and the public internet; sandbox merchants may use their own machines. */
  constructor(private readonly options: Omit<PoolOptions, 'timeoutMs'> & { timeoutMs?: number }) {
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.pools = new ConnectionPools({ ...options, timeoutMs: this.timeoutMs });
  }

  /** Resolves with any status. Redirects are not followed. */
  async send({ ownerId, url, headers, body }: OutgoingRequest): Promise<EndpointResponse> {
    const startedAt = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - startedAt);
    const { problem, origin, path } = this.parse(url);
    if (problem) throw new DeliveryFailure(describeProblem(problem, { field: 'The address' }), elapsedMs());
    try {
      const pool = this.pools.poolFor(origin, ownerId);
      const { status, text, retryAfter } = await post(pool, { path, headers, body }, this.timeoutMs);
      return { status, answer: text, durationMs: elapsedMs(), retryAfterSeconds: readRetryAfter(retryAfter) };
    } catch (error) {
      throw new DeliveryFailure(describeFailure(error, this.timeoutMs), elapsedMs());
    }
  }

  /** Validates the URL again: the rules may have changed since the webhook was created. */
  private parse(url: string): ParsedUrl {
    const cached = this.parsedUrls.get(url);
    if (cached) return cached;
    const problem = addressProblem(url, this.options.strict);
    const { origin, pathname, search } = new URL(problem ? 'none://' : url);
    const parsed = { problem, origin, path: `${pathname}${search}` };
    if (this.parsedUrls.size >= MAX_PARSED_URLS) this.parsedUrls.clear();
    this.parsedUrls.set(url, parsed);
    return parsed;
  }

  /** Waits for the requests in flight. */
  close(): Promise<void> {
    return this.pools.close();
  }
}
