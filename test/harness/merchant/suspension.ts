/** Suspends and resumes the sandbox merchant, as an operator does. */
import { resumeMerchant, suspendMerchant } from '../../../src/accounts/merchants/suspension';
import { until } from '../flow/until';
import { errorOf, type testApi } from '../servers/api';

const operator = { actor: { kind: 'operator', id: 'command line' } } as const;

export function suspension(api: ReturnType<typeof testApi>) {
  const isRefused = async (): Promise<boolean> => errorOf(await api.rest('POST', '/tokens', { body: '{' })) === 1008;
  return {
    /** Returns when the API has applied the change. */
    suspend: async (reason = 'Documents are missing'): Promise<void> => {
      await suspendMerchant(api.database.db(), operator, api.merchants().own.id, reason);
      await until(isRefused);
    },
    resume: async (): Promise<void> => {
      await resumeMerchant(api.database.db(), operator, api.merchants().own.id);
      await until(async () => !(await isRefused()));
    },
  };
}
