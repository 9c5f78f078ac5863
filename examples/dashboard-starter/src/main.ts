/** The merchant, its balance and its latest charges, updated by live events. */
import './style.css';
import type { ResultOf } from 'gql.tada';
import { follow, request } from './api';
import { graphql } from './graphql';

const Overview = graphql(`
  query Overview($limit: Int!) {
    merchant {
      name
      balance
    }
    charges(first: $limit) {
      nodes {
        id
        description
        amount
        status
        creation_date
      }
    }
  }
`);

const Events = graphql(`
  subscription Events {
    events {
      id
      type
    }
  }
`);

type Charge = NonNullable<ResultOf<typeof Overview>['charges']>['nodes'][number];

const CHARGES_SHOWN = 20;
const money = new Intl.NumberFormat('es-CO', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
});
const moment = new Intl.DateTimeFormat('es', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'America/Bogota',
});
const words: Record<string, string> = { completed: 'Pagado', failed: 'Rechazado', refunded: 'Reembolsado' };

const $ = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

function row({ description, amount, status, creation_date }: Charge): HTMLElement {
  const cells = [
    moment.format(new Date(creation_date)),
    description ?? '',
    words[status] ?? 'Pendiente',
    money.format(amount),
  ];
  const tr = document.createElement('tr');
  for (const text of cells) tr.insertCell().textContent = text;
  tr.dataset.status = status;
  return tr;
}

async function show(): Promise<void> {
  try {
    const { merchant, charges } = await request(Overview, { limit: CHARGES_SHOWN });
    $('merchant').textContent = merchant?.name ?? '';
    $('balance').textContent = `$ ${money.format(merchant?.balance ?? 0)}`;
    $('charges').replaceChildren(...(charges?.nodes ?? []).map(row));
    $('empty').hidden = Boolean(charges?.nodes.length);
    $('problem').hidden = true;
  } catch (error) {
    $('problem').hidden = false;
    $('problem').textContent = `No se pudo leer: ${(error as Error).message}`;
  }
}

let isShowing = false;
let isOutdated = false;

/** Batches events: one request at a time, and one after the last event. */
async function refresh(): Promise<void> {
  isOutdated = true;
  if (isShowing) return;
  isShowing = true;
  while (isOutdated) {
    isOutdated = false;
    await show();
  }
  isShowing = false;
}

function showLive(isConnected: boolean): void {
  $('live').textContent = isConnected ? 'En vivo' : 'Conectando de nuevo…';
  $('live').toggleAttribute('data-on', isConnected);
}

void refresh();
// Reloads after a reconnect.
void follow(Events, {
  connected: () => {
    showLive(true);
    void refresh();
  },
  disconnected: () => {
    showLive(false);
  },
  result: () => void refresh(),
});
