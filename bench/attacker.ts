/** Sends one type of request at the maximum rate from a separate process, until it is stopped. */
import autocannon from 'autocannon';

export interface Attack {
  url: string;
  method: 'GET' | 'POST';
  authorization: string;
  body?: string;
  connections: number;
}

process.once('disconnect', () => process.exit());
process.once('message', ({ url, method, authorization, body, connections }: Attack) => {
  const request = { method, headers: { authorization, 'content-type': 'application/json' }, ...(body ? { body } : {}) };
  autocannon({ url, connections, duration: 3600, timeout: 60, requests: [request] });
});
