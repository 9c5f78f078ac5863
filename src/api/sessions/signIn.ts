/**
 * `/session`: a page of this service exchanges a private key, or the single-use code of a link, for a session cookie. The
 * key is not stored. The Origin header proves that the page belongs to this service.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { KeyHolder } from '../../accounts/merchants/apiKeyCache';
import { MAX_MINUTES, Session } from '../../accounts/sessions/fields';
import { createSession, findSession, revokeSession, showSessions } from '../../accounts/sessions/rows';
import { readScope } from '../../accounts/sessions/scope';
import { takeSignInCode } from '../../accounts/sessions/signInCodes';
import { ApiError } from '../../platform/errors';
import { isWithin } from '../../platform/networks';
import { rendererOf } from '../../schema/render';
import { authenticate, authenticateRequest } from '../authentication';
import { parseJson } from '../json';
import { rejectOtherMethods } from '../methodNotAllowed';
import { createContext, JSON_TYPE, type ServerDependencies } from '../request';
import { readSessionCookie, sendSessionCookie } from './cookie';
import { requireOwnPage } from './ownPage';

const DEFAULT_SIGN_IN_MINUTES = 8 * 60;
const MAX_BODY_BYTES = 16 * 1024;

const render = rendererOf(Session);

export function addSignIn(server: FastifyInstance, dependencies: ServerDependencies): void {
  const { db, apiKeyCache, admission, environment, publicUrl } = dependencies;
  rejectOtherMethods(server, '/session', ['GET', 'POST', 'DELETE']);

  server.post('/session', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const origin = requireOwnPage(request, publicUrl);
    const { private_key, code, words, minutes } = readSignIn(request.body);
    const holder = await findHolder(request, () =>
      code ? holderOfCode(request, code) : holderOf(request, private_key),
    );
    const entry = await admission.enter(holder, { requestClass: 'write', weight: 1 });
    try {
      const scope = readScope(words, false);
      if (holder.rights.isReadOnly && !scope.includes('read'))
        throw new ApiError('private_key_needed', 'read_only_key');
      const context = createContext(dependencies, request, holder, entry.yieldSlotWhile);
      const sign_in =
        code === undefined && (await hasSession(request, holder)) ? ('repeated' as const) : ('first' as const);
      const session = { key_id: holder.key_id, customer_id: null, scope, origins: [origin], sign_in, minutes };
      const { token, ...created } = await createSession(context, session);
      sendSessionCookie(dependencies, reply, token, created.expires_at);
      return show(reply.code(201), holder, created);
    } finally {
      entry.leave();
    }
  });

  server.get('/session', async (request, reply) => {
    const holder = await requireSession(request);
    (await admission.enter(holder, { requestClass: 'read', weight: 1 })).leave();
    const [session] = await showSessions(db, [await findSession({ db, ...holder }, holder.key_id)]);
    return show(reply, holder, session as Session);
  });

  // A request without a session is already signed out. No limit prevents signing out.
  server.delete('/session', async (request, reply) => {
    try {
      const holder = await requireSession(request);
      await revokeSession(createContext(dependencies, request, holder), holder.key_id);
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'not_authenticated')) throw error;
    }
    sendSessionCookie(dependencies, reply, '');
    return reply.code(204).send();
  });

  const holderOf = ({ ip }: FastifyRequest, key: string): Promise<KeyHolder> =>
    authenticate(apiKeyCache, environment, `Basic ${Buffer.from(`${key}:`).toString('base64')}`, ip);

  async function holderOfCode({ ip }: FastifyRequest, code: string): Promise<KeyHolder> {
    const key_id = await takeSignInCode(db, apiKeyCache.secret, code);
    const holder = key_id ? await apiKeyCache.findHolderOfKey(key_id) : null;
    if (holder?.environment !== environment || !isWithin(ip, holder.addresses)) throw new ApiError('not_authenticated');
    return holder;
  }

  async function findHolder(request: FastifyRequest, find: () => Promise<KeyHolder>): Promise<KeyHolder> {
    const holder = await find().catch(async error => {
      if (error instanceof ApiError && error.kind === 'not_authenticated') await admission.countWrongKey(request.ip);
      throw error;
    });
    request.merchant_id = holder.merchant_id;
    request.key_id = holder.key_id;
    if (holder.kind !== 'private') throw new ApiError('private_key_needed');
    return holder;
  }

  /** Whether the cookie has a session of the same merchant. */
  async function hasSession(request: FastifyRequest, { merchant_id }: KeyHolder): Promise<boolean> {
    const token = readSessionCookie(dependencies, request);
    const present = token === undefined ? null : await apiKeyCache.findHolder(token);
    return present?.kind === 'session' && present.merchant_id === merchant_id;
  }

  async function requireSession(request: FastifyRequest): Promise<KeyHolder> {
    const holder = await authenticateRequest(dependencies, request);
    if (holder.kind !== 'session') throw new ApiError('private_key_needed', 'session_needed');
    return holder;
  }

  const show = (reply: FastifyReply, { merchant_id }: KeyHolder, session: Session) =>
    reply
      .headers({ ...JSON_TYPE, 'cache-control': 'no-store' })
      .send(JSON.stringify({ ...(render(session) as object), merchant_id, environment }));
}

interface SignIn {
  private_key: string;
  /** Alternative to a key. */
  code: string | undefined;
  words: string[];
  minutes: number;
}

function readSignIn(body: unknown): SignIn {
  const json = body instanceof Uint8Array && body.length > 0 ? parseJson(body) : undefined;
  const { private_key, code, scope, minutes } = { ...(json as Record<string, unknown> | undefined) };
  const isCode = typeof code === 'string' && private_key === undefined;
  if (!isCode && typeof private_key !== 'string')
    throw new ApiError('malformed', 'required_text', { field: 'private_key' });
  const words = [scope ?? []].flat();
  if (!words.every(word => typeof word === 'string'))
    throw new ApiError('malformed', 'not_text_list', { field: 'scope' });
  const wanted = minutes ?? DEFAULT_SIGN_IN_MINUTES;
  if (!Number.isInteger(wanted)) throw new ApiError('malformed', 'not_whole_number', { field: 'minutes' });
  if (Number(wanted) < 1 || Number(wanted) > MAX_MINUTES)
    throw new ApiError('invalid_value', 'out_of_range', { field: 'minutes', min: 1, max: MAX_MINUTES });
  const secret = isCode ? { private_key: '', code } : { private_key: String(private_key).trim(), code: undefined };
  return { ...secret, words: words as string[], minutes: Number(wanted) };
}
