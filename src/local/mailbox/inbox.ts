/** Received e-mails: one file each, loaded at startup, with the displayed fields in memory. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMessageId, type Message, newMessageId, readMessage, withRecipients } from './message';

const MAX_MESSAGES = 500;

export class Inbox {
  private readonly messages = new Map<string, Message>();
  private lastReceivedAt = 0;

  private constructor(
    private readonly directory: string,
    private readonly maxMessages: number,
  ) {}

  static async open(directory: string, maxMessages = MAX_MESSAGES): Promise<Inbox> {
    const inbox = new Inbox(directory, maxMessages);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    for (const name of await readdir(directory)) {
      const id = name.replace(/\.eml$/, '');
      if (isMessageId(id)) inbox.messages.set(id, await readMessage(id, await readFile(inbox.file(id))));
    }
    await inbox.dropOldest();
    return inbox;
  }

  /** Resolves when the e-mail is stored. */
  async receive(raw: Buffer, recipients: string[]): Promise<void> {
    // Ids sort by time, so e-mails of the same millisecond get increasing times.
    this.lastReceivedAt = Math.max(Date.now(), this.lastReceivedAt + 1);
    const id = newMessageId(this.lastReceivedAt);
    const stored = withRecipients(raw, recipients);
    const message = await readMessage(id, stored);
    // Writes atomically; readable by the owner only.
    await writeFile(`${this.file(id)}.new`, stored, { mode: 0o600 });
    await rename(`${this.file(id)}.new`, this.file(id));
    this.messages.set(id, message);
    await this.dropOldest();
  }

  /** Newest first. */
  list(recipient?: string): Message[] {
    const wantedAddress = recipient?.toLowerCase();
    return [...this.messages.values()]
      .filter(
        message => wantedAddress === undefined || message.to.some(address => address.toLowerCase() === wantedAddress),
      )
      .sort((one, other) => (one.id < other.id ? 1 : -1));
  }

  find(id: string): Message | undefined {
    return this.messages.get(id);
  }

  async clear(): Promise<void> {
    await this.drop(this.list());
  }

  private async dropOldest(): Promise<void> {
    await this.drop(this.list().slice(this.maxMessages));
  }

  private async drop(messages: Message[]): Promise<void> {
    for (const { id } of messages) this.messages.delete(id);
    await Promise.all(messages.map(({ id }) => rm(this.file(id), { force: true })));
  }

  private file(id: string): string {
    return join(this.directory, `${id}.eml`);
  }
}
