import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { getUntil } from '../harness/servers/program';

cleanUpAfterAll();

describe('npm start', () => {
  it('runs alongside another one that has its own PORT and DATA_DIR, and uses no proxy for local connections', async () => {
    const installations = [await LocalInstallation.create(), await LocalInstallation.create()];
    const proxy = 'http://127.0.0.1:9';
    const env = { http_proxy: proxy, https_proxy: proxy, grpc_proxy: proxy, PGSSLMODE: 'require' };
    const launchers = installations.map(installation => installation.start(env));
    await Promise.all(launchers.map(launcher => launcher.waitForOutput(/Temporal UI {3}http/)));
    const [first, second] = await Promise.all(installations.map(installation => installation.readJson()));
    expect(first?.merchant_id).not.toBe(second?.merchant_id);
    expect(first?.temporal_address).not.toBe(second?.temporal_address);
    await Promise.all(installations.map(installation => getUntil(`${installation.url}/ready`, 200)));
    expect(await Promise.all(launchers.map(launcher => launcher.stop()))).toEqual([0, 0]);
  });
});
