/** Webhook of all merchants: refuses or ignores some first attempts, and records accepted events. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from './random';

const REFUSAL_RATE = 0.02;
const SILENCE_RATE = 0.005;

export interface ReceivedEvent {
  id: string;
  type: string;
  transaction?: { id: string };
}

export class Listener {
  /** Accepted events with their count, by merchant and id. */
  readonly accepted = new Map<string, Map<string, { event: ReceivedEvent; times: number }>>();
  readonly problems: string[] = [];
  /** Repeated deliveries, which are allowed because responses can be lost. */
  doubles = 0;
  refused = 0;
  /** While false, all deliveries are accepted. */
  isMoody = true;
  private readonly secrets = new Map<string, string>();
  private readonly refusedIds = new Set<string>();

  private constructor(
    private readonly server: Server,
    private readonly random: Random,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      request.on('data', chunk => chunks.push(chunk));
      request.on('end', () => {
        const status = this.receive(request, Buffer.concat(chunks).toString());
        if (status > 0) response.writeHead(status).end();
      });
    });
  }

  static async open(random: Random): Promise<Listener> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Listener(server, random);
  }

  urlFor(merchant: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${merchant}`;
  }

  expectSignature(merchant: string, secret: string): void {
    this.secrets.set(merchant, secret);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private receive({ url = '', headers }: IncomingMessage, text: string): number {
    const merchant = url.slice(1);
    const event = JSON.parse(text) as ReceivedEvent;
    if (event.type === 'verification') return 200;
    const secret = this.secrets.get(merchant);
    if (!secret || !isSigned(String(headers.signature), text, secret))
      this.problems.push(`event ${event.id} (${event.type}) of ${merchant} came with a wrong signature`);
    const dice = this.isMoody && !this.refusedIds.has(event.id) ? this.random() : 1;
    if (dice < REFUSAL_RATE + SILENCE_RATE) {
      this.refusedIds.add(event.id);
      this.refused += 1;
      return dice < SILENCE_RATE ? 0 : 500;
    }
    const ofMerchant = this.accepted.get(merchant) ?? new Map();
    this.accepted.set(merchant, ofMerchant);
    const times = (ofMerchant.get(event.id)?.times ?? 0) + 1;
    if (times > 1) this.doubles += 1;
    ofMerchant.set(event.id, { event, times });
    return 200;
  }
}

function isSigned(header: string, text: string, secret: string): boolean {
  const [time = '', ...signatures] = header.split(',');
  const expected = createHmac('sha256', secret)
    .update(`${time.slice(2)}.${text}`)
    .digest('hex');
  return signatures.includes(`v1=${expected}`);
}
