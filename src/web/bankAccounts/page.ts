/** Renders the page that stops a change of a merchant's bank account. */
import { html } from '../../platform/html';
import type { Page } from '../layout';
import { displayMoment, messagePage } from '../results';
import type { Texts } from '../texts';

const es = {
  title: 'Cambio de cuenta bancaria',
  intro: 'La cuenta bancaria que recibe tus desembolsos se cambió en el panel o por la API.',
  account: 'Cuenta nueva',
  from: 'Recibe los desembolsos desde',
  hint: 'Si no solicitaste este cambio, detenlo y reemplaza tus llaves. Los desembolsos siguen en la cuenta anterior.',
  stop: 'Detener el cambio',
  stopped: 'El cambio se detuvo',
  stoppedHint: 'Los desembolsos siguen en la cuenta anterior. Reemplaza ahora tus llaves y cierra tus sesiones.',
  over: 'Este cambio ya no se puede detener',
  overHint: 'La cuenta ya está en uso. Si no solicitaste el cambio, reemplaza tus llaves y escríbenos de inmediato.',
};

const en: typeof es = {
  title: 'Change of bank account',
  intro: 'The bank account that receives your payouts was changed in the dashboard or over the API.',
  account: 'New account',
  from: 'Receives payouts from',
  hint: 'If you did not request this change, stop it and replace your keys. Payouts still go to the previous account.',
  stop: 'Stop the change',
  stopped: 'The change was stopped',
  stoppedHint: 'Payouts still go to the previous account. Replace your keys and end your sessions now.',
  over: 'This change can no longer be stopped',
  overHint:
    'The account is already in use. If you did not request the change, replace your keys and contact us immediately.',
};

/** A change of a bank account, as its page shows it. */
export interface ShownChange {
  state: 'pending' | 'stopped' | 'effective';
  bank: string;
  number: string;
  effective_at: Date;
  merchant: { name: string };
}

export function changePage(t: Texts, { state, bank, number, effective_at, merchant }: ShownChange): Page {
  const l = t.language === 'es' ? es : en;
  if (state === 'stopped') return { ...messagePage(l.stopped, l.stoppedHint, 200), merchant: merchant.name };
  if (state === 'effective') return { ...messagePage(l.over, l.overHint, 410), merchant: merchant.name };
  return {
    title: l.title,
    merchant: merchant.name,
    body: html`<h1>${l.title}</h1>
<p>${l.intro}</p>
<dl>
<div><dt>${l.account}</dt><dd>${bank} ${number}</dd></div>
<div><dt>${l.from}</dt><dd>${displayMoment(t, effective_at)}</dd></div>
</dl>
<p>${l.hint}</p>
<form method="post"><button>${l.stop}</button></form>`,
  };
}
