import { connectOnce, openDatabase } from '../../../src/platform/database/connection';
import { listen } from '../../../src/platform/database/listen';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { temporaryFile } from '../../harness/flow/temporaryFile';
import { testDatabase } from '../../harness/servers/database';
import { startTlsProxy } from '../../harness/servers/tlsProxy';
import { createSelfSigned } from '../../harness/webhooks/certificate';

describe('sslmode=verify-full', () => {
  const database = testDatabase();

  /** The database behind a certificate for `name`; the URL trusts `authority`. */
  async function urlWith(name: string, authority?: string): Promise<string> {
    const certificate = createSelfSigned(name);
    const url = new URL(database.url());
    url.port = `${await startTlsProxy(Number(url.port), certificate, 'postgres')}`;
    url.hostname = 'localhost';
    const file = temporaryFile('authority.pem', authority ?? certificate.cert);
    url.search = `${new URLSearchParams({ sslmode: 'verify-full', sslrootcert: file })}`;
    return url.toString();
  }

  it('connects to the server in the certificate, from the pool, the command and the listener', async () => {
    const url = await urlWith('localhost');
    const client = await connectOnce(url);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    const db = openDatabase(url);
    atTheEnd(() => db.$disconnect());
    expect(await db.$queryRaw`select 1 as one`).toEqual([{ one: 1 }]);
    const stop = new AbortController();
    await new Promise<void>(resolve => {
      const onConnection = (isConnected: boolean) => isConnected && resolve();
      const listening = listen(url, 'deliveries', { onNotification: () => undefined, onConnection }, stop.signal);
      atTheEnd(() => {
        stop.abort();
        return listening;
      });
    });
  });

  it('refuses a certificate for another host name', async () => {
    await expect(connectOnce(await urlWith('other.example'))).rejects.toThrow("does not match certificate's altnames");
    const db = openDatabase(await urlWith('other.example'));
    atTheEnd(() => db.$disconnect());
    await expect(db.$queryRaw`select 1`).rejects.toThrow();
  });

  it('refuses a certificate of an unknown authority', async () => {
    const stranger = createSelfSigned('localhost').cert;
    await expect(connectOnce(await urlWith('localhost', stranger))).rejects.toThrow('does not respond');
  });
});
