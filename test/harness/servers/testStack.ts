import { readJournal } from '../../../torture/journal';
import { temporalAddress } from '../world/temporal';
import { cleanUpAfterAll, LocalInstallation } from './localInstallation';
import { getUntil, Program } from './program';
import { testNamespace } from './temporal';

/** The stack of `npm start`, with the Temporal server of the run. Call once in a test file. */
export function testStack() {
  cleanUpAfterAll();
  const namespace = testNamespace();
  return async (env: Record<string, string> = {}) => {
    const installation = await LocalInstallation.create();
    const start = async (): Promise<Program> => {
      const program = installation.start({
        TEMPORAL_ADDRESS: temporalAddress(),
        TEMPORAL_NAMESPACE: namespace.name,
        ...env,
      });
      await program.waitForOutput('recaudo is up');
      return program;
    };
    const launcher = await start();
    const credentials = await installation.readJson();
    await getUntil(`${installation.url}/health`, 200);
    return {
      installation,
      launcher,
      startAgain: start,
      credentials,
      expectAgreement: async () => {
        const audit = new Program('audit', { DATA_DIR: installation.dataDir });
        expect([await audit.exited, audit.output]).toEqual([0, expect.stringContaining('No differences found.')]);
      },
      readJournal: () => readJournal(credentials.acquirer_url),
    };
  };
}
