/**
 * The browser that tests and screenshots use: an installed Chrome or Chromium, or on Linux x64 the one inside the npm
 * package @sparticuz/chromium, which brings its own libraries and fonts.
 */
const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, join } = require('node:path');

/** The headless shell comes first, because it needs two thirds of the processor time. */
const COMMANDS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const NO_BROWSER = 'No browser found: install Google Chrome or Chromium, and make sure it is on the PATH.';

function findBrowser() {
  const folders = (process.env.PATH ?? '').split(':');
  const installed = [...COMMANDS.flatMap(name => folders.map(folder => join(folder, name))), ...MAC_APPS].find(
    existsSync,
  );
  if (installed) {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return { name: installed, executablePath: installed, args, env: {} };
  }
  if (process.platform === 'linux' && process.arch === 'x64') return packagedBrowser();
  throw new Error(NO_BROWSER);
}

function packagedBrowser() {
  const entry = require.resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(entry.slice(0, entry.indexOf('/build/')), 'package.json'), 'utf8'));
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'recaudo');
  const directory = join(cache, `chromium-${version}`);
  if (!existsSync(directory)) unpack(entry, directory);
  return {
    name: `Chromium ${version} from @sparticuz/chromium`,
    executablePath: join(directory, 'chromium'),
    // The package has no helper for Chromium's sandbox; the browser only loads pages of this project.
    args: ['--no-sandbox'],
    env: { LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'), FONTCONFIG_PATH: join(directory, 'fonts') },
  };
}

/** Unpacks into a temporary directory and renames it, so that concurrent processes never see an incomplete browser. */
function unpack(entry, directory) {
  mkdirSync(dirname(directory), { recursive: true });
  const unfinished = mkdtempSync(`${directory}-`);
  try {
    const script = `require(${JSON.stringify(entry)}).executablePath()`;
    // The package unpacks into the temporary directory, and its libraries only on AWS Lambda.
    const env = { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
    execFileSync(process.execPath, ['-e', script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    writeFileSync(join(unfinished, 'fonts', 'fonts.conf'), fontConfiguration(directory));
    renameSync(unfinished, directory);
  } catch (error) {
    if (!existsSync(directory)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

const fontConfiguration = directory => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(directory, 'fonts', 'fonts')}</dir>
  <cachedir>${join(directory, 'fonts', 'cache')}</cachedir>
</fontconfig>
`;

module.exports = { findBrowser };
