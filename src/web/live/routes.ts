/**
 * `/live/{key}`: the page of a request for production access. After approval, it shows the production keys in exchange for
 * the sandbox private key. Wrong page and private keys count as authentication failures of the API.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectLiveKeys } from '../../accounts/activation/collectKeys';
import { completeLiveRequest, narrowRequest } from '../../accounts/activation/rows';
import type { KeyHolder } from '../../accounts/merchants/apiKeyCache';
import { authenticate } from '../../api/authentication';
import { rejectOtherMethods } from '../../api/methodNotAllowed';
import { namesOf, type ServerDependencies } from '../../api/request';
import { ApiError } from '../../platform/errors';
import { isId, newId } from '../../platform/identifiers';
import { toApiError } from '../../platform/toApiError';
import { isCrossSite } from '../findPayment';
import { sendPage, textsFor, withLanguage } from '../layout';
import { readForm, storedFields, typedFields } from './readForm';
import { type LiveTexts, liveTexts } from './texts';
import {
  collectPage,
  formPage,
  keysPage,
  type LiveFormState,
  messagePage,
  type ShownRequest,
  statusPage,
} from './view';

type LivePageRequest = FastifyRequest<{ Params: { key: string } }>;

const MAX_BODY_BYTES = 16 * 1024;

const liveTextsFor = (request: FastifyRequest): LiveTexts => liveTexts[textsFor(request).language as 'es' | 'en'];
const urlOf = (request: LivePageRequest, rest = ''): string =>
  withLanguage(request, `/live/${request.params.key}${rest}`);
const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(body instanceof Uint8Array ? Buffer.from(body).toString() : '');

export function addLivePages(server: FastifyInstance, dependencies: ServerDependencies): void {
  const { db, vault, publicUrl, apiKeyCache, admission, log } = dependencies;
  for (const url of ['/live/:key', '/live/:key/keys']) rejectOtherMethods(server, url, ['GET', 'POST']);
  server.register(async pages => {
    pages.addHook('onRoute', route => {
      route.bodyLimit = MAX_BODY_BYTES;
    });
    pages.setErrorHandler((thrown, request, reply) => {
      const { http_code, kind } = toApiError(thrown);
      if (kind === 'internal') log.error({ err: thrown, ...namesOf(request) }, 'request: internal error');
      const name =
        http_code === 404 ? 'unknown' : http_code === 429 ? 'tooMany' : http_code < 500 ? 'rejected' : 'trouble';
      return sendPage(request, reply, messagePage(liveTextsFor(request), name, http_code));
    });

    pages.get('/live/:key', async (request: LivePageRequest, reply) =>
      show(request, reply, await findRequest(request)),
    );

    // Handles a reload after the keys were shown, or a change of language.
    pages.get('/live/:key/keys', async (request: LivePageRequest, reply) => reply.redirect(urlOf(request), 303));

    pages.post('/live/:key', async (request: LivePageRequest, reply) => {
      if (isCrossSite(request, publicUrl)) throw new ApiError('private_key_needed');
      const live = await findRequest(request);
      if (!isOpen(live)) return reply.redirect(urlOf(request), 303);
      const typed = typedFields(formOf(request));
      const { input, problems } = await readForm({ db, vault }, live, typed);
      if (!input) return sendForm(request, reply, live, { typed, problems });
      const actor = { kind: 'session', id: `page of ${live.id}` } as const;
      await completeLiveRequest(
        { db, vault },
        { actor, address: request.ip, request_id: request.id },
        live,
        input,
      ).catch(
        // Another request was faster; the page shows the current state.
        ignoreRefusal,
      );
      return reply.redirect(urlOf(request), 303);
    });

    pages.post('/live/:key/keys', async (request: LivePageRequest, reply) => {
      if (request.headers.origin === undefined || isCrossSite(request, publicUrl))
        throw new ApiError('private_key_needed');
      const live = await findRequest(request);
      if (!isCollectable(live)) return reply.redirect(urlOf(request), 303);
      const t = liveTextsFor(request);
      const holder = await findHolder(request, live, formOf(request).get('private_key')?.trim() ?? '');
      if (!holder) return sendPage(request, reply, collectPage(t, live, urlOf(request, '/keys'), true));
      const actor = { kind: 'key', id: holder.key_id } as const;
      const ofRequest = { actor, address: request.ip, request_id: request.id, merchant_id: live.merchant_id };
      const services = { db, vault, newId, keySecret: apiKeyCache.secret };
      const keys = await collectLiveKeys({ ...services, ...ofRequest }).catch(ignoreRefusal);
      return keys ? sendPage(request, reply, keysPage(t, live, keys)) : reply.redirect(urlOf(request), 303);
    });
  });

  async function findRequest(request: LivePageRequest): Promise<ShownRequest> {
    const { key: page_key } = request.params;
    const include = { merchant: { select: { name: true, email: true } } };
    const row = isId(page_key) ? await db.liveRequest.findUnique({ where: { page_key }, include }) : null;
    if (!row) {
      await admission.countWrongKey(request.ip);
      throw new ApiError('not_found');
    }
    // Logged instead of the secret URL.
    request.merchant_id = row.merchant_id;
    return { ...narrowRequest(row), merchant: row.merchant };
  }

  /** Requires a private key of this merchant with write access. */
  async function findHolder(
    request: LivePageRequest,
    { merchant_id }: ShownRequest,
    key: string,
  ): Promise<KeyHolder | undefined> {
    const credentials = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
    const holder = await authenticate(apiKeyCache, 'sandbox', credentials, request.ip).catch(ignoreRefusal);
    if (holder?.kind === 'private' && holder.merchant_id === merchant_id && !holder.rights.isReadOnly) return holder;
    await admission.countWrongKey(request.ip);
    return undefined;
  }
}

const isOpen = ({ status }: ShownRequest): boolean => status === 'draft' || status === 'returned';
const isCollectable = ({ status, keys_collected_at }: ShownRequest): boolean =>
  status === 'approved' && keys_collected_at === null;

function ignoreRefusal(error: unknown): undefined {
  if (error instanceof ApiError && (error.kind === 'not_allowed' || error.kind === 'not_authenticated'))
    return undefined;
  throw error;
}

function show(request: LivePageRequest, reply: FastifyReply, live: ShownRequest) {
  if (isOpen(live)) return sendForm(request, reply, live, { typed: storedFields(live) });
  const t = liveTextsFor(request);
  if (isCollectable(live)) return sendPage(request, reply, collectPage(t, live, urlOf(request, '/keys')));
  return sendPage(request, reply, statusPage(t, textsFor(request), live));
}

const sendForm = (request: LivePageRequest, reply: FastifyReply, live: ShownRequest, form: LiveFormState) =>
  sendPage(request, reply, formPage(liveTextsFor(request), live, urlOf(request), form));
