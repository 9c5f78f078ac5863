/** The portal of a customer: its subscriptions, saved cards and latest payments. */
import { dayOf } from '../../../workflows/calendar';
import { hasExpired } from '../../payments/cardDetails/typed';
import type { CardRow } from '../../payments/cards/rows';
import { type Html, html } from '../../platform/html';
import { displayMoney } from '../../platform/money';
import type { Page } from '../layout';
import { SIGNS } from '../payer/page';
import { payerState } from '../payer/state';
import { maskedCard, wordsOf } from '../payer/texts';
import { displayMoment, messagePage, pageFrame } from '../results';
import type { Texts } from '../texts';
import type { PortalLink, PortalView } from './find';
import { portalWords } from './texts';

export interface PortalState {
  /** The URL of a step, or of the portal. */
  to: (step?: string) => string;
  note?: 'added' | 'isUsed' | undefined;
}

export function portalPage(t: Texts, view: PortalView, { to, note }: PortalState): Page {
  const { l } = wordsOf(t);
  const p = portalWords(t);
  const { first_name, token, merchant_name } = view;
  return {
    title: p.title,
    body: html`<div class="subscription portal">
${first_name && html`<p class="hello">${l.hello} ${first_name}</p>`}
<h1>${p.title}</h1>
${note && html`<p class="note ${note === 'added' && 'good'}" role="status">${p[note]}</p>`}
<section><h2>${p.subscriptions}</h2>${subscriptions(t, view, to)}</section>
<section><h2>${p.cards}</h2>${cards(t, view, to)}
<p class="actions"><a class="button quiet" href="${to('card')}">${p.add}</a></p></section>
${payments(t, view)}
${token.return_url !== undefined && html`<p class="back"><a href="${token.return_url}" rel="noreferrer">${t.goBack} ${merchant_name}</a></p>`}
<p class="hint">${p.until} ${displayMoment(t, token.expires_at)}.</p>
</div>`,
    ...pageFrame(view),
  };
}

const list = (items: Html[], empty: string): Html =>
  items.length > 0 ? html`<ul class="items">${items.map(item => html`<li>${item}</li>`)}</ul>` : html`<p>${empty}</p>`;

/** Those with an amount due come first. */
function subscriptions(t: Texts, view: PortalView, to: PortalState['to']): Html {
  const { l, on } = wordsOf(t);
  const p = portalWords(t);
  const shown = view.subscriptions
    .map(row => ({ row, state: payerState({ ...view, row }) }))
    .toSorted((one, other) => Number(other.state.due !== undefined) - Number(one.state.due !== undefined));
  const items = shown.map(({ row, state: { status, due, charges, ends } }) => {
    const [next] = charges;
    const fact =
      due !== undefined
        ? html`${l.due}: <strong>${displayMoney(due)}</strong>`
        : row.cancel_at_period_end
          ? html`${p.ends}: ${on(ends)}`
          : next
            ? html`${l.nextCharge}: ${displayMoney(next.amount)}, ${on(next.day)}`
            : html`${l.nextCharge}: ${p.noCharges}`;
    return html`<div class="heading"><h3>${row.plan_name}</h3><p class="chip ${SIGNS[status]}">${l.statuses[status]}</p></div>
<p>${fact}</p>
<p class="hint">${maskedCard(row.card)}</p>
<p class="actions"><a class="button ${due === undefined && 'quiet'}" href="${to(`subscriptions/${row.id}`)}">${due === undefined ? p.manage : p.pay}<span class="unseen"> ${row.plan_name}</span></a></p>`;
  });
  return list(items, p.noSubscriptions);
}

function cards(t: Texts, view: PortalView, to: PortalState['to']): Html {
  const p = portalWords(t);
  const items = view.cards.map(card => {
    const users = view.subscriptions.filter(({ card_id }) => card_id === card.id).map(({ plan_name }) => plan_name);
    return html`<div class="heading"><h3>${maskedCard(card)}</h3>${expiry(t, card, view.now)}</div>
${users.length > 0 ? html`<p class="hint">${p.pays} ${new Intl.ListFormat(t.language).format(users)}</p>` : removal(t, card, to('remove'))}`;
  });
  return list(items, p.noCards);
}

function expiry(t: Texts, { expiration_month, expiration_year }: CardRow, now: Date): Html {
  const p = portalWords(t);
  const date = `${expiration_month}/${expiration_year}`;
  return hasExpired(expiration_month, expiration_year, now)
    ? html`<p class="chip bad">${p.expired(date)}</p>`
    : html`<p class="hint">${p.expires(date)}</p>`;
}

/** Opens on a press, so that one press removes nothing. */
const removal = (t: Texts, card: CardRow, action: string): Html => {
  const p = portalWords(t);
  const name = maskedCard(card);
  return html`<details><summary>${p.remove}<span class="unseen"> ${name}</span></summary>
<form method="post" action="${action}" data-busy="${t.processing}">
<input type="hidden" name="card_id" value="${card.id}">
<p>${p.removeHint}</p>
<button class="quiet">${p.doRemove(name)}</button>
<p class="busy" role="status"></p>
</form></details>`;
};

function payments(t: Texts, view: PortalView): Html | false {
  const { on } = wordsOf(t);
  const p = portalWords(t);
  const rows = view.payments.map(({ operation_date, description, amount, status, path }) => {
    const value = html`${displayMoney(amount)}${status === 'refunded' && ` (${p.refunded})`}`;
    return html`<div><dt><a href="${path}?lang=${t.language}">${on(dayOf(operation_date.getTime()))}</a><small>${description}</small></dt><dd>${value}</dd></div>`;
  });
  return rows.length > 0 && html`<section><h2>${p.payments}</h2><dl>${rows}</dl></section>`;
}

/** A page with a sentence that ends with the name of the merchant. The customer is not named. */
const closedPage = (link: PortalLink, title: string, hint: string, status: number): Page => ({
  ...messagePage(title, '', status),
  ...pageFrame(link),
  body: html`<h1>${title}</h1><p>${hint} ${link.merchant_name}.</p>`,
});

export function expiredPortalPage(t: Texts, link: PortalLink): Page {
  const p = portalWords(t);
  return closedPage(link, p.expiredTitle, p.expiredHint, 410);
}

export function suspendedPortalPage(t: Texts, link: PortalLink): Page {
  const p = portalWords(t);
  return closedPage(link, p.suspendedTitle, p.suspendedHint, 423);
}
