import { retryUntilAnswered } from '../../src/embedded/managedProcess';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { getUntil } from '../harness/servers/program';
import { temporalAddress } from '../harness/servers/temporal';

cleanUpAfterAll();

describe('npm start', () => {
  it('runs alongside another one that has its own PORT and DATA_DIR', async () => {
    const installations = [await LocalInstallation.create(), await LocalInstallation.create()];
    const launchers = installations.map(installation => installation.start());
    await Promise.all(launchers.map(launcher => launcher.waitForOutput(/Temporal UI {3}http/)));
    const [first, second] = await Promise.all(installations.map(installation => installation.readJson()));
    expect(first?.merchant_id).not.toBe(second?.merchant_id);
    expect(first?.temporal_address).not.toBe(second?.temporal_address);
    await Promise.all(installations.map(installation => getUntil(`${installation.url}/ready`, 200)));
    expect(await Promise.all(launchers.map(launcher => launcher.stop()))).toEqual([0, 0]);
  });

  it('lets one of ten launchers on the same DATA_DIR win, also after the previous one was killed', async () => {
    const installation = await LocalInstallation.create();
    for (const _ of ['on an empty directory', 'with the record of a dead launcher']) {
      const launchers = Array.from({ length: 10 }, () => installation.start({ TEMPORAL_ADDRESS: temporalAddress() }));
      await getUntil(`${installation.url}/health`, 200);
      const winners = () => launchers.filter(({ process }) => process.exitCode === null && process.signalCode === null);
      await retryUntilAnswered(async () => expect(winners()).toHaveLength(1), 100);
      const [winner] = winners();
      const codes = await Promise.all(
        launchers.filter(launcher => launcher !== winner).map(launcher => launcher.exited),
      );
      expect(codes).toEqual(Array(9).fill(1));
      await winner?.stop('SIGKILL');
    }
  });

  it('does not use a proxy for local connections', async () => {
    const installation = await LocalInstallation.create();
    const proxy = 'http://127.0.0.1:9';
    const launcher = installation.start({
      http_proxy: proxy,
      https_proxy: proxy,
      grpc_proxy: proxy,
      PGSSLMODE: 'require',
    });
    await getUntil(`${installation.url}/ready`, 200);
    expect(await launcher.stop()).toBe(0);
  });
});
