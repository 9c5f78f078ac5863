/** The e-mail catcher of `npm start`: receives e-mails by SMTP and shows them on a page. It delivers none. */
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
  log.info(`receiving e-mails at ${mailbox.smtpUrl}, showing them at ${mailbox.url}`);
  await untilStopped(stop);
  await mailbox.close();
});
