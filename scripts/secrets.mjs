// Searches the project for committed secrets: keys of this program and of common services, and private keys. Example keys
// must be recognisable: consecutive digits, at most 6 distinct characters, or the word EXAMPLE.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const ignored = new Set([
  '.git',
  ...readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map(line => line.replace(/\/$/, '')),
]);

const patterns = [
  /\b(?:sk|pk|ok|st)_[0-9a-f]{32}\b/g,
  /\bwhsec_[0-9a-f]{48}\b/g,
  // 32 bytes in base64, the format of vault keys; `h1:` marks the hashes of go.sum.
  /(?<![\w+/=.-]|h1:)[A-Za-z0-9+/_-]{43}=(?![\w+/=])/g,
  /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/=\s]{20,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,}\b/g,
  /\bgithub_pat_\w{22,}\b/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bAIza[\w-]{35}\b/g,
  /\b(?:sk|rk)_live_[A-Za-z0-9]{16,}\b/g,
];
const MAX_DISTINCT_CHARACTERS_OF_AN_EXAMPLE = 6;

/** Text in base64, as in recorded histories: 32 random bytes are not all printable. */
const isText = secret => /^[\x20-\x7e]+$/.test(Buffer.from(secret, 'base64').toString('latin1'));

function isExample(secret) {
  const value = secret.replace(/^(?:[a-z]+_)+/, '');
  return /EXAMPLE|0123456789|9876543210/i.test(value) || new Set(value).size <= MAX_DISTINCT_CHARACTERS_OF_AN_EXAMPLE;
}

function* filesBelow(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (ignored.has(entry.name) || ignored.has(relative(root, path))) continue;
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

const found = [];
for (const path of filesBelow(root)) {
  const text = readFileSync(path, 'utf8');
  for (const pattern of patterns) {
    for (const { 0: secret, index } of text.matchAll(pattern)) {
      if (isExample(secret) || (secret.endsWith('=') && isText(secret))) continue;
      found.push(`${relative(root, path)}:${text.slice(0, index).split('\n').length} ${secret.slice(0, 8)}…`);
    }
  }
}
if (found.length > 0) {
  console.error(`Possible secrets:\n${found.join('\n')}`);
  process.exit(1);
}
