/** Sends a POST to an address that a merchant chose. Whoever is there may be slow, hostile or somebody else: nothing of theirs is trusted. */

import { ConnectionPools, type PoolOptions } from './connectionPools';
import { describeFailure } from './failureMessages';
import { post } from './post';
import { addressProblem } from './publicAddress';

export interface OutgoingRequest {
  /** Whose connections it takes: what one waits for at a host is no reason for another to wait there. */
  ownerId: string;
  url: string;
  headers: Record<string, string | undefined>;
  body: string | Buffer;
}

export interface Answered {
  status: number;
  /** The first bytes, as text. */
  answer: string;
  ms: number;
}

/** What was wrong, in words a merchant can read; never an address inside our network. */
export class DeliveryFailure extends Error {
  constructor(
    message: string,
    readonly ms: number,
  ) {
    super(message);
  }
}

interface ParsedUrl {
  /** Why it is not accepted. */
  wrong: string | undefined;
  origin: string;
  path: string;
}

const MAX_PARSED_URLS = 1000;

export class Sender {
  private readonly origins: ConnectionPools;
  private readonly timeoutMs: number;
  /** Reading an address costs as much as a signature. */
  private readonly places = new Map<string, ParsedUrl>();

  /** `strict` is production: https only, and the public internet only. In the sandbox merchants listen on their own machines. */
  constructor(private readonly options: Omit<PoolOptions, 'timeoutMs'> & { timeoutMs?: number }) {
    this.timeoutMs = options.timeoutMs ?? 10_000;
    this.origins = new ConnectionPools({ ...options, timeoutMs: this.timeoutMs });
  }

  /** Any status is an answer, that of a redirect too: nobody is sent elsewhere. */
  async send({ ownerId, url, headers, body }: OutgoingRequest): Promise<Answered> {
    const began = performance.now();
    const ms = (): number => Math.round(performance.now() - began);
    const { wrong, origin, path } = this.read(url);
    if (wrong) throw new DeliveryFailure(`The address ${wrong}`, ms());
    try {
      const pool = this.origins.to(origin, ownerId);
      const [status, answer] = await post(pool, { path, headers, body }, this.timeoutMs);
      return { status, answer, ms: ms() };
    } catch (error) {
      throw new DeliveryFailure(describeFailure(error, this.timeoutMs), ms());
    }
  }

  /** Also whether it is accepted at all: it may have been under other rules. */
  private read(url: string): ParsedUrl {
    const known = this.places.get(url);
    if (known) return known;
    const wrong = addressProblem(url, this.options.strict);
    const { origin, pathname, search } = new URL(wrong ? 'none://' : url);
    const place = { wrong, origin, path: `${pathname}${search}` };
    if (this.places.size >= MAX_PARSED_URLS) this.places.clear();
    this.places.set(url, place);
    return place;
  }

  /** Waits for what is under way. */
  close(): Promise<void> {
    return this.origins.close();
  }
}
