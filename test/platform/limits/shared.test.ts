/** The requests that share a rate limit. */

import type { KeyHolder } from '../../../src/accounts/merchants/apiKeyCache';
import { Admission } from '../../../src/api/admission/admission';
import { Buckets } from '../../../src/platform/limits/buckets';
import { LIMIT_VARIABLES, type LimitSettings } from '../../../src/platform/limits/settings';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { testApi } from '../../harness/servers/api';

const api = testApi();
const settings = Object.fromEntries(LIMIT_VARIABLES.map(name => [name, 1000])) as LimitSettings;

it.each<[string, KeyHolder['kind'], string, string]>([
  ['the keys of a merchant share its write limit', 'private', 'm1', 'write m1'],
  ['public keys share it too', 'public', 'm1', 'write m1'],
  [
    'the sessions of a merchant share a separate limit, so that pages do not block its server',
    'session',
    'm1',
    'write sessions of m1',
  ],
  ['each operator has a separate limit', 'operator', '', 'write one'],
])('%s', async (_, kind, merchant_id, shared) => {
  const buckets = new Buckets(api.database.db());
  atTheEnd(() => buckets.close());
  const taken = jest.spyOn(buckets, 'take');
  const rights = { isReadOnly: false, isSuspended: false, role: undefined };
  const holder = {
    key: 'one',
    key_id: 'one',
    merchant_id,
    environment: 'sandbox',
    kind,
    addresses: [],
    rights,
  } as const;
  const admission = new Admission(buckets, settings);
  for (const key of merchant_id ? ['one', 'another'] : ['one'])
    (await admission.enter({ ...holder, key }, { requestClass: 'write', weight: 1 })).leave();
  expect(taken.mock.calls.map(([scope]) => scope)).toEqual(
    merchant_id ? ['key one', shared, 'key another', shared] : ['key one', shared],
  );
});
