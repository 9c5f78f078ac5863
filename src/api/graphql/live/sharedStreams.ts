/**
 * Connections of this process that carry many subscriptions. What is asked of them is looked up in the database a few
 * times a second, for all of them with one statement, because any process may have been asked.
 */

import type { Database } from '../../../platform/database/connection';
import { ApiError } from '../../../platform/errors';
import { toApiError } from '../../../platform/toApiError';
import type { Context } from '../../../schema/operation/context';
import { readInput } from '../readRequest';
import { guardRootFields } from '../rootFields';
import type { GraphqlServer, LiveResults } from '../server';
import type { EventStream } from './eventStream';
import { dropOperation, findOperation, keepStreams, type OperationName, operationsOf } from './reservations';

const POLL_INTERVAL_MS = 200;
const KEEP_INTERVAL_MS = 60_000;

interface SharedStream {
  events: EventStream;
  context: Context;
  /** Takes a place among the merchant's live streams. Returns what gives it back. */
  takePlace(): Promise<() => void>;
  /** What it carries, by its ids. */
  operations: Map<string, CarriedOperation>;
}

interface CarriedOperation {
  since: string;
  end: AbortController;
}

export class SharedStreams {
  private readonly streams = new Map<string, SharedStream>();
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;
  private keptAt = 0;

  constructor(
    private readonly db: Database,
    private readonly graphqlServer: GraphqlServer,
  ) {}

  /** Until the client leaves or the stream is ended. */
  async serve(id: string, stream: Omit<SharedStream, 'operations'>): Promise<void> {
    const { events, context } = stream;
    const operations: SharedStream['operations'] = new Map();
    this.streams.set(id, { ...stream, operations });
    this.timer ??= setInterval(() => void this.poll(), POLL_INTERVAL_MS);
    void this.poll();
    await events.run(
      () => events.untilEnded(),
      reason => {
        for (const operation of operations.keys()) {
          if (reason) events.send('next', { id: operation, payload: reason.graphqlBody(context.request_id) });
          events.send('complete', { id: operation });
        }
      },
    );
    this.streams.delete(id);
    for (const { end } of operations.values()) end.abort();
    if (this.streams.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** What a database cannot answer now is asked again the next time. */
  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    await this.beginAndEnd([...this.streams.keys()]).catch(() => undefined);
    this.isPolling = false;
  }

  /** Begins what is new and ends what is gone. */
  private async beginAndEnd(ids: string[]): Promise<void> {
    const asked = await operationsOf(this.db, ids);
    for (const stream_id of ids) {
      const stream = this.streams.get(stream_id);
      if (!stream) continue;
      const wanted = new Map(asked.filter(each => each.stream_id === stream_id).map(each => [each.id, each]));
      for (const [id, { since, end }] of stream.operations) if (wanted.get(id)?.since !== since) end.abort();
      for (const asked of wanted.values())
        if (stream.operations.get(asked.id)?.since !== asked.since) void this.carry(stream, asked);
    }
    if (Date.now() - this.keptAt < KEEP_INTERVAL_MS) return;
    this.keptAt = Date.now();
    await keepStreams(this.db, ids);
  }

  private async carry({ events, context, operations, takePlace }: SharedStream, name: OperationName) {
    const { id, since } = name;
    const operation = { since, end: new AbortController() };
    const { signal } = operation.end;
    operations.set(id, operation);
    let leave: (() => void) | undefined;
    try {
      leave = await takePlace();
      const results = await this.subscribe(context, name);
      // It was ended before it began.
      if (!results) return;
      const stop = (): void => void results.return(undefined);
      signal.addEventListener('abort', stop);
      if (signal.aborted) stop();
      for await (const result of results) {
        if (signal.aborted || events.signal.aborted) break;
        await events.sendAndDrain('next', { id, payload: this.graphqlServer.formatResult(result, context) });
      }
    } catch (error) {
      const payload = toApiError(error).graphqlBody(context.request_id);
      // One whose id is used again has nothing to say any more.
      const isCurrent = operations.get(id) === operation;
      if (isCurrent && !events.signal.aborted) await events.sendAndDrain('next', { id, payload });
    } finally {
      leave?.();
      // The end of one whose id is used again would be taken for that of its successor.
      if (!events.signal.aborted && operations.get(id) === operation) {
        events.send('complete', { id });
        // While it is still asked for, it must not begin again.
        await dropOperation(this.db, name).then(
          () => operations.get(id) === operation && operations.delete(id),
          () => undefined,
        );
      }
    }
  }

  private async subscribe(context: Context, name: OperationName): Promise<LiveResults | undefined> {
    const found = await findOperation(this.db, name);
    if (!found) return undefined;
    const input = readInput(Buffer.from(found.request));
    guardRootFields(context, input);
    const results = await this.graphqlServer.subscribe({ ...context, liveSince: found.since }, input);
    // It was found good when it was asked for, so what is wrong now is ours.
    if ('status' in results) throw new ApiError('unavailable');
    return results;
  }
}
