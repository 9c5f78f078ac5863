// Starts `npm start` in a temporary folder and fills it with some weeks of data for screenshots.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;
const NAMES =
  'María Gómez,Andrés Rojas,Luisa Fernanda Ortiz,Carlos Pérez,Valentina Ríos,Jorge Iván Mejía,Camila Torres,Felipe Castro,Natalia Vargas,Santiago Duque';
const PLANS = [
  { name: 'Mensual', amount: 49_900, repeat_unit: 'month' },
  { name: 'Semanal', amount: 15_000, repeat_unit: 'week' },
  { name: 'Anual', amount: 499_000, repeat_unit: 'year' },
];
/** The card `declined` can be saved, but all its charges are declined. */
const CARDS = { visa: '4242424242424242', mastercard: '5555555555554444', declined: '4000000000000341' };

/** A webhook endpoint that always returns 200. */
async function startReceiver() {
  const server = createServer((request, response) => {
    request.resume();
    response.end('ok');
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/webhooks`, close: () => server.close() };
}

/** Resolves when all processes are up, including Temporal. */
async function startAll(port) {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'recaudo-pictures-'));
  const env = { ...process.env, DATA_DIR, PORT: String(port) };
  const child = spawn(process.execPath, ['dist/src/programs/embedded.js'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', text => {
    printed += text;
  });
  while (!printed.includes('Temporal UI')) {
    if (child.exitCode !== null) throw new Error(`npm start has exited:\n${printed}`);
    await sleep(500);
  }
  const stop = () =>
    new Promise(resolve => {
      child.once('exit', resolve);
      child.kill('SIGINT');
    });
  const credentials = JSON.parse(readFileSync(join(DATA_DIR, 'credentials.json'), 'utf8'));
  return { credentials, stop };
}

function clientOf({ url, merchant_id, private_key }) {
  const authorization = `Basic ${Buffer.from(`${private_key}:`).toString('base64')}`;
  return async (path, body, method = body ? 'POST' : 'GET') => {
    const response = await fetch(`${url}/v1/${merchant_id}${path}`, {
      method,
      headers: { authorization },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    // 402: declined charges are part of the data.
    if (!response.ok && response.status !== 402) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
}

export async function openShop({ port, log }) {
  log('starting all processes');
  const [{ credentials, stop }, receiver] = await Promise.all([startAll(port), startReceiver()]);
  const api = clientOf(credentials);
  const newCard = (customer, name, number) =>
    api(`/customers/${customer}/cards`, {
      holder_name: name,
      card_number: number,
      cvv2: '123',
      expiration_month: '12',
      expiration_year: String(new Date().getFullYear() + 6),
    });
  await api('/webhooks', { url: receiver.url, event_types: ['*'] }).catch(() =>
    api('/webhooks', { url: receiver.url }),
  );
  await api('', { subscription_emails: true }, 'PUT');
  const plans = [];
  for (const plan of PLANS)
    plans.push(
      await api('/plans', { ...plan, repeat_every: 1, trial_days: 0, retry_times: 3, status_after_retry: 'unpaid' }),
    );

  const people = [];
  for (const [i, name] of NAMES.split(',').entries()) {
    const email = `${name.split(' ')[0].normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()}${i}@example.com`;
    const customer = await api('/customers', { name, email, requires_account: false });
    const card = await newCard(customer.id, name, i % 3 === 1 ? CARDS.mastercard : CARDS.visa);
    people.push({ ...customer, card });
    const plan = plans[i % 4 === 3 ? 2 : i % 2];
    const subscription = await api(`/customers/${customer.id}/subscriptions`, { plan_id: plan.id, source_id: card.id });
    people[i].subscription = subscription;
  }
  const pay = (person, order, amount) =>
    api(`/customers/${person.id}/charges`, {
      method: 'card',
      source_id: person.card.id,
      device_session_id: 'shop',
      order_id: `pedido-${order}`,
      amount,
      currency: 'COP',
      iva: '19%',
      description: 'Flores para llevar',
    });
  let now = Date.now();
  for (let step = 0; step < 9; step++) {
    log(`creating charges: step ${step + 1} of 9`);
    for (let i = 0; i <= (step * 7) % 4; i++)
      await pay(people[(step * 3 + i) % people.length], `${step}${i}`, 38_000 + ((step * 37 + i * 53) % 90) * 1000);
    if (step === 5) {
      // Two customers become past due.
      for (const person of people.slice(1, 3)) {
        const declined = await newCard(person.id, person.name, CARDS.declined);
        const path = `/customers/${person.id}/subscriptions/${person.subscription.id}`;
        await api(path, { source_id: declined.id }, 'PUT');
      }
    }
    now += 4 * DAY_MS;
    await api('/sandbox/clock', { to: new Date(now).toISOString() });
  }
  // And today.
  for (const [i, person] of people.slice(3, 8).entries()) await pay(person, `hoy-${i}`, 42_000 + i * 13_000);
  return { credentials, api, people, close: () => Promise.all([stop(), receiver.close()]) };
}
