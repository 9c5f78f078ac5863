/** The mail catcher of `npm start`: receives every mail by SMTP, delivers none, and shows them on a page. */
import { openMailbox } from '../local/mailbox/mailbox';
import { readConfig } from '../platform/config/config';
import { runProgram, untilStopped } from '../platform/lifetime';
import { createLog } from '../platform/log';

runProgram('mail', async stop => {
  const config = readConfig(['SMTP_PORT', 'MAIL_PORT', 'MAIL_DIR']);
  const log = createLog('mail');
  const mailbox = await openMailbox(
    { directory: config.MAIL_DIR, smtpPort: config.SMTP_PORT, mailPort: config.MAIL_PORT },
    log,
  );
  log.info(`mail is taken at ${mailbox.smtpUrl} and shown at ${mailbox.url}`);
  await untilStopped(stop);
  await mailbox.close();
});
