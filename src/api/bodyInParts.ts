import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { PartTurns } from './admission/admission';
import type { HttpResponse } from './idempotency';

export interface SentResponse extends HttpResponse {
  /** Whether it is an outcome of the work, as it is unless it says otherwise. */
  final?: boolean;
  /** What follows the body, part by part. Never of a request with an Idempotency-Key, whose response is kept. */
  rest?: AsyncGenerator<string>;
}

interface PartOptions {
  turns: PartTurns;
  /** Rejects where no more may be sent. */
  check(): Promise<unknown>;
  maxIdleMs: number;
}

/**
 * A body that goes on after its beginning. The next part is asked for once the client has taken the one before, and not
 * at all once it is gone or has taken nothing for long; each is worked on in turn with the requests of others.
 */
export function bodyInParts(
  { raw, request }: FastifyReply,
  beginning: string,
  rest: AsyncGenerator<string>,
  { turns, check, maxIdleMs }: PartOptions,
): Readable {
  // Fastify would read all of it for a response that has no body.
  const isWanted = request.method !== 'HEAD';
  if (isWanted) raw.setTimeout(maxIdleMs, () => raw.destroy());
  const take: PartTurns['take'] = work =>
    turns.take(async () => {
      await check().catch(() => raw.destroy());
      return work();
    });
  const body = Readable.from(isWanted ? texts(beginning, rest, { ...turns, take }) : [], { objectMode: false });
  return body.once('close', turns.end);
}

async function* texts(beginning: string, rest: AsyncGenerator<string>, turns: PartTurns): AsyncGenerator<string> {
  try {
    yield beginning;
    for (;;) {
      const { done, value } = await turns.take(() => rest.next());
      if (done) return;
      yield value;
    }
  } finally {
    await rest.return(undefined);
  }
}
