/** `npm start` prints the URL of the front page, and opens it with `--open`. */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../harness/flow/until';
import { testDatabase } from '../harness/servers/database';
import { cleanUpAfterAll, LocalInstallation } from '../harness/servers/localInstallation';
import { Program } from '../harness/servers/program';
import { testNamespace } from '../harness/servers/temporal';
import { temporalAddress } from '../harness/world/temporal';

cleanUpAfterAll();
const database = testDatabase('empty');
const namespace = testNamespace();

/** A machine whose browser only records the URLs that it should open. */
function fakeBrowser(installation: LocalInstallation): { folder: string; asked: string } {
  const folder = mkdtempSync(join(installation.dataDir, 'bin-'));
  const asked = join(folder, 'asked');
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nprintf %s "$1" > '${asked}'\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { folder, asked };
}

it('opens the printed page, which links to the parts of this start', async () => {
  const installation = await LocalInstallation.create();
  const { folder, asked } = fakeBrowser(installation);
  const environment = {
    DATA_DIR: installation.dataDir,
    PORT: `${installation.port}`,
    DATABASE_URL: database.url(),
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace.name,
    PATH: `${folder}:${process.env.PATH}`,
  };
  const launcher = new Program('embedded', environment, ['--open']);
  await launcher.waitForOutput('recaudo is up');
  expect(launcher.output).toContain(`start here    ${installation.url}\n`);
  expect(launcher.output).toContain(`reference     ${installation.url}/docs\n`);
  expect(await eventually(async () => readFileSync(asked, 'utf8') || Promise.reject(new Error('nothing yet')))).toBe(
    installation.url,
  );
  const page = await (await fetch(installation.url, { headers: { accept: 'text/html' } })).text();
  const { acquirer_url, mail_url } = await installation.readJson();
  expect(page).toContain(`href="${acquirer_url}/journal"`);
  expect(page).toContain(`href="${mail_url}"`);
  // The parts of another server are unknown.
  expect(page).not.toContain('/workflows?query=');
});
