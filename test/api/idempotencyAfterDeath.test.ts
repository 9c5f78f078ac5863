import { eventually } from '../harness/flow/until';
import { payer as maria } from '../harness/merchant/merchantCalls';
import { type ApiResponse, sendRequest, testApi } from '../harness/servers/api';
import { startApi } from '../harness/servers/apiProgram';
import { inDatabase } from '../harness/world/database';

const api = testApi();

describe('a process that crashes between its work and the response', () => {
  it('lets the repeat return the customer that was created, and creates no other', async () => {
    const { id: merchant, private_key: key } = api.merchants().own;
    const body = { ...maria, external_id: 'survivor' };
    const send = (url: string) =>
      sendRequest(`${url}/v1/${merchant}/customers`, 'POST', { key, body, headers: { 'idempotency-key': 'dies' } });
    /** Retries when the API timed out waiting for its database; such responses are not stored. */
    const sendUntilAnswered = async (url: string): Promise<ApiResponse> => {
      const answer = await send(url);
      return answer.status === 503 ? sendUntilAnswered(url) : answer;
    };
    const { program, origin: url } = await startApi({ DATABASE_URL: api.database.url() });

    // The customer's insert is blocked until the claim is locked here, so the response cannot be stored after it.
    await inDatabase(api.database.url(), async tableLock => {
      await tableLock.query('begin');
      await tableLock.query('lock table customers in share row exclusive mode');
      const lostResponse = sendUntilAnswered(url).catch(() => 'lost');
      await inDatabase(api.database.url(), async claimLock => {
        await claimLock.query('begin');
        await eventually(async () => {
          const { rowCount } = await claimLock.query(`select from idempotent_replies where key = 'dies' for update`);
          if (rowCount !== 1) throw new Error('not claimed yet');
        });
        await tableLock.query('commit');
        await eventually(async () => {
          if ((await api.database.db().customer.count({ where: { external_id: 'survivor' } })) !== 1)
            throw new Error('not created yet');
        });
        await program.stop('SIGKILL');
        expect(await lostResponse).toBe('lost');
        await claimLock.query('rollback');
      });
    });

    const { origin: restartedUrl } = await startApi({ DATABASE_URL: api.database.url() });
    const repeat = await sendUntilAnswered(restartedUrl);
    expect([repeat.status, repeat.body.external_id]).toEqual([201, 'survivor']);
    expect(await api.database.db().customer.count({ where: { external_id: 'survivor' } })).toBe(1);
    expect((await send(restartedUrl)).text).toBe(repeat.text);
  });
});
