/** What was received: a file for each mail, which the next start finds again, and in memory what of it is shown. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMessageId, type Message, newMessageId, readMessage, withRecipients } from './message';

const MAX_MESSAGES = 500;

export class Inbox {
  private readonly messages = new Map<string, Message>();
  private latest = 0;

  private constructor(
    private readonly directory: string,
    private readonly most: number,
  ) {}

  static async open(directory: string, most = MAX_MESSAGES): Promise<Inbox> {
    const inbox = new Inbox(directory, most);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) {
      const id = name.replace(/\.eml$/, '');
      if (isMessageId(id)) inbox.messages.set(id, await readMessage(id, await readFile(inbox.file(id))));
    }
    await inbox.dropOldest();
    return inbox;
  }

  /** Kept when this resolves. */
  async receive(raw: Buffer, recipients: string[]): Promise<void> {
    // Two of one millisecond stay in the order in which they came.
    this.latest = Math.max(Date.now(), this.latest + 1);
    const id = newMessageId(this.latest);
    const kept = withRecipients(raw, recipients);
    const message = await readMessage(id, kept);
    // Whole or not at all, and for its owner only.
    await writeFile(`${this.file(id)}.new`, kept, { mode: 0o600 });
    await rename(`${this.file(id)}.new`, this.file(id));
    this.messages.set(id, message);
    await this.dropOldest();
  }

  /** The newest first. */
  list(to?: string): Message[] {
    const wanted = to?.toLowerCase();
    return [...this.messages.values()]
      .filter(message => wanted === undefined || message.to.some(address => address.toLowerCase() === wanted))
      .sort((one, other) => (one.id < other.id ? 1 : -1));
  }

  find(id: string): Message | undefined {
    return this.messages.get(id);
  }

  async clear(): Promise<void> {
    await this.drop(this.list());
  }

  private async dropOldest(): Promise<void> {
    await this.drop(this.list().slice(this.most));
  }

  private async drop(messages: Message[]): Promise<void> {
    for (const { id } of messages) this.messages.delete(id);
    await Promise.all(messages.map(({ id }) => rm(this.file(id), { force: true })));
  }

  private file(id: string): string {
    return join(this.directory, `${id}.eml`);
  }
}
