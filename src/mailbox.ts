/** The mail catcher of `npm start`: takes every mail by SMTP, delivers none of it, and shows it as a page. */
import { readConfig } from './config';
import { openMailbox } from './embedded/mailbox/mailbox';
import { run, stopped } from './lifetime';
import { createLog } from './log';

run('mail', async stop => {
  const config = readConfig(['SMTP_PORT', 'MAIL_PORT', 'MAIL_DIR']);
  const log = createLog('mail');
  const mailbox = await openMailbox(
    { directory: config.MAIL_DIR, smtpPort: config.SMTP_PORT, mailPort: config.MAIL_PORT },
    log,
  );
  log.info(`mail is taken at ${mailbox.smtpUrl} and shown at ${mailbox.url}`);
  await stopped(stop);
  await mailbox.close();
});
