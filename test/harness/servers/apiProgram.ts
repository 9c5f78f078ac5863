import { fromRoot } from '../../../src/platform/root';
import { apiVariables } from '../world/secrets';
import { temporalAddress } from '../world/temporal';
import { testPort } from './port';
import { getUntil, Program } from './program';

export interface RunningApi {
  origin: string;
  program: Program;
}

/** An API process that responds, on its own port. */
export async function startApi(
  env: { DATABASE_URL: string } & Record<string, string>,
  root = fromRoot(),
): Promise<RunningApi> {
  const port = await testPort();
  const shared = { ...apiVariables, TEMPORAL_ADDRESS: temporalAddress(), PORT: `${port}` };
  const program = new Program('api', { ...shared, ...env }, [], root);
  const origin = `http://127.0.0.1:${port}`;
  await getUntil(`${origin}/health`, 200);
  return { origin, program };
}
