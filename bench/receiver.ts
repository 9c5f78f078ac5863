/**
 * A merchant's fast webhook endpoint in a separate process: counts requests by path and measures their delay since
 * commit.
 */
import { createServer } from 'node:http';

const counts = new Map<string, number>();
const delays: number[] = [];

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (path === '/silent') return void request.resume();
  if (path === '/report') {
    response.end(JSON.stringify({ counts: Object.fromEntries(counts), delays }));
    counts.clear();
    delays.length = 0;
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const sent = /"sent_at": ?(\d+)/.exec(Buffer.concat(chunks).toString())?.[1];
    if (sent) delays.push(Date.now() - Number(sent));
    response.end();
  });
});
process.once('disconnect', () => process.exit());
server.listen(Number(process.argv[2]), '127.0.0.1');
