/**
 * Reads request bodies as bytes, within a size, a time and a number per client address. A body that is too large is read
 * to its end and discarded, because a client that is still sending does not read the response.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../platform/errors';
import type { Admission } from './admission';

/** Bodies up to this size have the whole timeout, larger ones proportionally more. */
const TIMEOUT_BYTES = 64 * 1024;
/** Larger bodies have no more time. */
const MAX_TIMED_BYTES = 1024 * 1024;
/** Beyond this the connection is closed while the client is still sending. */
const MAX_DISCARDED_BYTES = 32 * 1024 * 1024;

/** Ends the reading of a body with an error. */
const rejections = new WeakMap<IncomingMessage, (error: ApiError) => void>();

const declaredLength = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0);
const hasBody = (raw: IncomingMessage): boolean =>
  declaredLength(raw) > 0 || raw.headers['transfer-encoding'] !== undefined;

export function readBodies(server: FastifyInstance, admission: Admission, timeoutMs: number): void {
  // Not a hook, because requests that Fastify rejects have bodies too.
  server.server.on('request', (raw: IncomingMessage) => {
    if (hasBody(raw)) limitTime(raw, timeoutMs);
  });
  server.addHook('onRequest', ({ raw, ip }, reply, done) => {
    if (!hasBody(raw)) return done();
    try {
      raw.once('close', admission.openBody(ip));
      done();
    } catch (error) {
      reply.header('connection', 'close');
      done(error as ApiError);
    }
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (request, _payload, done) => readBody(request, done));
}

/** A body of unknown length has the time of the bytes that have arrived. */
function limitTime(raw: IncomingMessage, timeoutMs: number): void {
  const { socket } = raw;
  const startedAt = performance.now();
  const bytesBefore = socket.bytesRead;
  const allowedMs = (): number => {
    const length = declaredLength(raw) || socket.bytesRead - bytesBefore;
    return timeoutMs * Math.max(1, Math.min(length, MAX_TIMED_BYTES) / TIMEOUT_BYTES);
  };
  const check = (): void => {
    const leftMs = startedAt + allowedMs() - performance.now();
    const reject = rejections.get(raw);
    if (raw.complete) return;
    if (leftMs > 0) timer = setTimeout(check, leftMs).unref();
    else if (reject) reject(new ApiError('malformed', 'request_timeout'));
    else socket.destroy();
  };
  let timer = setTimeout(check, allowedMs()).unref();
  raw.once('close', () => clearTimeout(timer));
}

function readBody(request: FastifyRequest, done: (error: Error | null, body?: Buffer) => void): void {
  const { raw } = request;
  const { bodyLimit } = request.routeOptions;
  const chunks: Buffer[] = [];
  let received = 0;
  const end = (error: ApiError | null): void => {
    rejections.delete(raw);
    raw.off('data', onData).off('end', onEnd).off('error', onError);
    // A client that disconnects later is no uncaught error.
    raw.on('error', () => undefined);
    if (error) done(error);
    else done(null, Buffer.concat(chunks));
  };
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= bodyLimit) chunks.push(chunk);
    else chunks.length = 0;
    if (received > MAX_DISCARDED_BYTES) end(new ApiError('too_large'));
  };
  const onEnd = (): void => end(received > bodyLimit ? new ApiError('too_large') : null);
  const onError = (): void => end(new ApiError('malformed', 'body_wrong_length'));
  rejections.set(raw, end);
  raw.on('data', onData).on('end', onEnd).on('error', onError);
}
