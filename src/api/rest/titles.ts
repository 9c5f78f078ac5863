/** Titles of operations: a verb and a noun, derived from the GraphQL field unless IRREGULAR names it. */
import { type Route, routes } from './routes';

const IRREGULAR: Readonly<Record<string, string>> = {
  statement: 'Retrieve the account statement',
  stats: 'Retrieve statistics',
  fraudSettings: 'Retrieve the fraud settings',
  dryRunFraudRule: 'Try a fraud rule',
  deleteSubscription: 'Cancel a subscription',
  previewSubscriptionChange: 'Preview a change of a subscription',
  projection: 'Project the next charges of a subscription',
  history: 'Retrieve the history of a subscription',
  testWebhook: 'Send a test event',
  redeliver: 'Redeliver an event',
  redeliverRange: 'Redeliver the events of a time range',
  search: 'Search',
  moveClock: 'Move the test clock',
  clock: 'Retrieve the test clock',
  payCharge: 'Simulate a payment',
  decideChargeback: 'Simulate a chargeback',
  scriptCard: 'Script the outcomes of a card',
};

const NOUNS: Readonly<Record<string, string>> = { key: 'API key', keys: 'API keys', pse: 'PSE payment' };

const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

function baseTitleOf({ method, path, field }: Route): string {
  const irregular = IRREGULAR[field];
  if (irregular) return irregular;
  const words = field.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`).split(' ');
  const verb = method === 'GET' ? undefined : words.shift();
  const noun = NOUNS[words.join(' ')] ?? words.join(' ');
  const hasId = path.includes('/:');
  if (verb) {
    const isOnlyOne = method === 'PUT' && !hasId;
    return `${verb[0]?.toUpperCase()}${verb.slice(1)} ${isOnlyOne ? `the ${noun}` : withArticle(noun)}`;
  }
  if (/\/:\w+$/.test(path)) return `Retrieve ${withArticle(noun)}`;
  return noun.endsWith('s') ? `List ${noun}` : `Retrieve the ${noun}`;
}

const OWNED = /^\/(customer|plan)s\/:\w+\/\w/;

/** The title names the owner of the path only where the operation exists for the merchant as well. */
export function titleOf(route: Route): string {
  const title = baseTitleOf(route);
  const [, owner] = OWNED.exec(route.path) ?? [];
  if (!owner || routes.every(({ field, path }) => field !== route.field || OWNED.test(path))) return title;
  return `${title} ${title.startsWith('Create') ? 'for' : 'of'} a ${owner}`;
}
