import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { StreamSlot } from './admission/admission';
import type { HttpResponse } from './idempotency';

export interface StreamableResponse extends HttpResponse {
  /** Whether it is an outcome of the operation. Defaults to true. */
  final?: boolean;
  /** The rest of the body, part by part. Never used with an Idempotency-Key, whose response is stored. */
  rest?: AsyncGenerator<string>;
}

interface PartOptions {
  turns: StreamSlot;
  /** Rejects if the client may not receive more. */
  check(): Promise<unknown>;
  maxIdleMs: number;
}

/**
 * Streams a body in parts. Each part is read after the client has received the previous one, in turn with other requests.
 * Reading stops when the client disconnects or stalls.
 */
export function streamBody(
  { raw, request }: FastifyReply,
  beginning: string,
  rest: AsyncGenerator<string>,
  { turns, check, maxIdleMs }: PartOptions,
): Readable {
  // Fastify would read the whole stream for a response without a body.
  const hasBody = request.method !== 'HEAD';
  if (hasBody) raw.setTimeout(maxIdleMs, () => raw.destroy());
  const take: StreamSlot['take'] = work =>
    turns.take(async () => {
      await check().catch(() => raw.destroy());
      return work();
    });
  const body = Readable.from(hasBody ? texts(beginning, rest, { ...turns, take }) : [], { objectMode: false });
  return body.once('close', turns.end);
}

async function* texts(beginning: string, rest: AsyncGenerator<string>, turns: StreamSlot): AsyncGenerator<string> {
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
