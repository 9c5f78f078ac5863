import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Sends raw bytes and reads one response, for requests that no HTTP client would send. */
export function sendRaw(origin: string, bytes: string | Buffer, { keepOpen = false } = {}): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    const finish = () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const [statusLine = '', ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(
        lines.map(line => [line.split(':')[0]?.toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      );
      if (Buffer.byteLength(body) < Number(headers['content-length'] ?? 1)) return;
      socket.destroy();
      resolve({ status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) });
    };
    socket.on('data', chunk => {
      text += chunk;
      finish();
    });
    socket.on('error', error => (text ? finish() : reject(error)));
    socket.on('close', () => (text ? finish() : reject(new Error('closed without an answer'))));
    if (!keepOpen) socket.setTimeout(60_000, () => socket.destroy(new Error('no answer')));
  });
}

/** Sends raw bytes over a connection that stays open until the server or the test closes it. */
export function openConnection(origin: string, bytes: string) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  let text = '';
  socket.on('data', chunk => {
    text += chunk;
  });
  // The server may close while the test is still sending.
  socket.on('error', () => undefined);
  /** Everything that was received until the connection closed. */
  const received = new Promise<string>(resolve => socket.once('close', () => resolve(text)));
  return { socket, received };
}
