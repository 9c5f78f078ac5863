/** What the launcher shows: addresses and keys in the terminal, and the front page in a browser if that is wanted. */
import { spawn } from 'node:child_process';
import { savedViews } from '../operations/background/temporalViews';
import type { Credentials } from './credentials';

/** Opens with the shop filled in. The public key only: an address ends up in histories and bookmarks. */
const tokenDemoUrl = ({ url, merchant_id, public_key }: Credentials): string =>
  `${url}/v1/tokenize-demo#${new URLSearchParams({ merchant_id, public_key })}`;

/** The code is in the fragment, which browsers send to nobody, and works once. */
const signInUrl = (url: string, code: string | undefined): string =>
  code ? `${url}#code=${code} (signs in once)` : url;

/** The dashboard and the explorer. */
export const SIGN_IN_LINKS = 2;

interface Shown {
  production?: string | undefined;
  codes: string[];
  dataDir: string;
}

export const apiBanner = (credentials: Credentials, { production, codes, dataDir }: Shown): string => `
  recaudo is up

  start here    ${credentials.url}
  dashboard     ${signInUrl(`${credentials.url}/dashboard`, codes[0])}
  operators     ${credentials.url}/operator
  reference     ${credentials.url}/docs
  API           ${credentials.url}/v1/${credentials.merchant_id}${production ? `   production ${production}` : ''}
  GraphQL       ${credentials.graphql_url}
  explorer      ${signInUrl(credentials.graphql_url, codes[1])}
  merchant      ${credentials.merchant_id}
  private key   ${credentials.private_key}
  public key    ${credentials.public_key}
  operator key  ${credentials.operator_key}
  try a token   ${tokenDemoUrl(credentials)}
  acquirer      ${credentials.acquirer_url}/journal (simulated)
  mail          ${credentials.mail_url ? `${credentials.mail_url} (what was sent)` : '(handed to the server given by SMTP_URL)'}
  metrics       ${credentials.metrics_url}
  database      ${credentials.database_url}
  all of it     ${dataDir}/credentials.json
`;

/** Each opens a view of the Temporal UI, and leaves it in the list of that browser. */
function viewLinks({ temporal_ui_url: uiUrl, temporal_namespace: namespace, merchant_id }: Credentials): string {
  if (!uiUrl) return '';
  const views = savedViews({ uiUrl, namespace, merchant_id, now: new Date() });
  return `\n  its views, each installed by its link\n${views.map(({ name, url }) => `    ${name}\n      ${url}\n`).join('')}`;
}

export const temporalBanner = (credentials: Credentials): string => `
  Temporal      ${credentials.temporal_address}, namespace ${credentials.temporal_namespace}
  Temporal UI   ${credentials.temporal_ui_url ?? '(that of the server given by TEMPORAL_ADDRESS)'}
${viewLinks(credentials)}
  Ctrl-C stops everything; what is stored stays for the next start.
`;

export function openPage(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true });
  child.once('error', () => console.info(`No browser could be opened (${opener}). The page is ${url}`));
  child.unref();
}
