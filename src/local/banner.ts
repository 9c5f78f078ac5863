/** Terminal output of the launcher, and opening the front page in a browser. */
import { spawn } from 'node:child_process';
import { workflowLists } from '../operations/background/temporalViews';
import type { Credentials } from './credentials';

/** Prefills the merchant. Contains only the public key, because URLs end up in browser history. */
const tokenDemoUrl = ({ url, merchant_id, public_key }: Credentials): string =>
  `${url}/v1/tokenize-demo#${new URLSearchParams({ merchant_id, public_key })}`;

/** The single-use code is in the fragment, which browsers do not send to servers. */
const signInUrl = (url: string, code: string | undefined): string =>
  code ? `${url}#code=${code} (signs in once)` : url;

export const SIGN_IN_LINKS = 2;

interface Shown {
  /** False without a Temporal server. */
  isComplete: boolean;
  codes: string[];
  dataDir: string;
}

export const banner = (credentials: Credentials, { isComplete, codes, dataDir }: Shown): string => `
  ${isComplete ? 'recaudo is up' : 'recaudo runs without Temporal'}

  start here    ${credentials.url}
  dashboard     ${signInUrl(`${credentials.url}/dashboard`, codes[0])}
  operators     ${credentials.url}/operator
  reference     ${credentials.url}/docs
  API           ${credentials.url}/v1/${credentials.merchant_id}
  GraphQL       ${credentials.graphql_url}
  explorer      ${signInUrl(credentials.graphql_url, codes[1])}
${productionLine(credentials)}  merchant      ${credentials.merchant_id}
  private key   ${credentials.private_key}
  public key    ${credentials.public_key}
  operator key  ${credentials.operator_key}
  try a token   ${tokenDemoUrl(credentials)}
  acquirer      ${credentials.acquirer_url}/journal (simulated)
  e-mail        ${credentials.mail_url ? `${credentials.mail_url} (sent e-mails)` : '(sent through SMTP_URL)'}
  metrics       ${credentials.metrics_url}
  database      ${credentials.database_url}
  credentials   ${dataDir}/credentials.json
${isComplete ? temporalLines(credentials) : ''}
  Press Ctrl-C to stop. Data is kept for the next start.
`;

/** `npm start` runs it with the acquirer of the sandbox, unless PRODUCTION_ACQUIRER_URL is set. */
const productionLine = ({ production_url }: Credentials): string =>
  production_url
    ? `  production    ${production_url} (a rehearsal on this machine, ${process.env.PRODUCTION_ACQUIRER_URL ? 'with the acquirer at PRODUCTION_ACQUIRER_URL' : 'with the simulated acquirer: no real money moves'})\n`
    : '';

function listLinks({ temporal_ui_url: uiUrl, temporal_namespace: namespace, merchant_id }: Credentials): string {
  if (!uiUrl) return '';
  const lists = workflowLists({ uiUrl, namespace, merchant_id, now: new Date() });
  return `\n  workflows (each link opens a list)\n${lists.map(({ name, url }) => `    ${name}\n      ${url}\n`).join('')}`;
}

const temporalLines = (
  credentials: Credentials,
): string => `  Temporal      ${credentials.temporal_address}, namespace ${credentials.temporal_namespace}
  Temporal UI   ${credentials.temporal_ui_url ?? '(the UI of the server at TEMPORAL_ADDRESS)'}
${listLinks(credentials)}`;

export function openPage(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.once('error', () => console.info(`Could not open a browser (${opener}). Open ${url}`));
  child.unref();
}
