/** Basic authentication with the API key as user name and an empty password. Every failure gets the same response. */
import type { Environment } from '../../prisma/generated/enums';
import type { ApiKeyCache, KeyHolder } from '../merchants/apiKeyCache';
import { ApiError } from '../platform/errors';
import { isWithin } from '../platform/networks';

const BASIC_CREDENTIALS = /^basic +([a-z0-9+/]+=*) *$/i;
const API_KEY = /^([spo]k_[0-9a-f]{32}):$/;

export async function authenticate(
  apiKeyCache: ApiKeyCache,
  environment: Environment,
  header: string | undefined,
  address: string,
): Promise<KeyHolder> {
  const encoded = BASIC_CREDENTIALS.exec(header ?? '')?.[1];
  const key = encoded && API_KEY.exec(Buffer.from(encoded, 'base64').toString('latin1'))?.[1];
  const holder = key ? await apiKeyCache.findHolder(key) : null;
  // A key of an operator is for both environments.
  const isForThis = holder?.kind === 'operator' || holder?.environment === environment;
  if (!holder || !isForThis || !isWithin(address, holder.addresses)) throw new ApiError('not_authenticated');
  return holder;
}
