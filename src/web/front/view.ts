/** The front page: running services and links. */
import { testNumbers } from '../../payments/cardDetails/testNumbers';
import { type Html, html } from '../../platform/html';
import { temporalViews } from './temporalViews';
import type { FrontTexts } from './texts';

/** URLs of other local pages; absent ones are not shown. */
export interface NeighbourPages {
  temporalUi?: string | undefined;
  temporalNamespace?: string | undefined;
  inbox?: string | undefined;
  journal?: string | undefined;
}

const way = (url: string, name: string, hint: string): Html =>
  html`<li><a href="${url}">${name}<span>${hint}</span></a></li>`;

const room = (title: string, body: Html): Html => html`<section class="room"><h2>${title}</h2>${body}</section>`;

const health = (t: FrontTexts): Html => html`<div role="status"><ul class="parts" aria-label="${t.health}">
${Object.entries(t.parts).map(
  ([part, name]) =>
    html`<li class="chip" data-part="${part}" data-up="${t.up}" data-down="${t.down}">${name} <strong>…</strong></li>`,
)}
</ul></div>`;

function watchRoom(t: FrontTexts, { temporalUi, temporalNamespace = 'default', inbox, journal }: NeighbourPages): Html {
  const views = temporalUi ? temporalViews(temporalUi, temporalNamespace, new Date()) : [];
  return room(
    t.watch,
    html`<ul class="ways">
${
  temporalUi &&
  html`<li><a href="${temporalUi}">${t.temporal}<span>${t.temporalHint}</span></a>
<ul class="views" aria-label="${t.views}">${views.map(([name, url]) => html`<li><a href="${url}">${t.view[name]}</a></li>`)}</ul></li>`
}
${inbox && way(inbox, t.inbox, t.inboxHint)}
${journal && way(journal, t.journal, t.journalHint)}
${way('/operator', t.operator, t.operatorHint)}
${way('/ready', t.health, t.healthHint)}
</ul>`,
  );
}

/** The most used test numbers. */
const usualNumbers = (t: FrontTexts): [number: string, outcome: string][] => [
  ['4242424242424242', t.outcomes.approved],
  ['4222222222222220', t.outcomes.declined],
  ['4444444444444448', t.outcomes.funds],
  ['4000000000000341', t.outcomes.later],
];

const rehearseRoom = (t: FrontTexts): Html =>
  room(
    t.rehearse,
    html`<p>${t.numbersHint}</p>
<table class="numbers" aria-label="${t.numbersCaption}">
${usualNumbers(t)
  .filter(([number]) => testNumbers.has(number))
  .map(([number, outcome]) => html`<tr><th scope="row">${number}</th><td>${outcome}</td></tr>`)}
</table>
<ul class="ways">
${way('/docs/guides/api#test-card-numbers', t.allNumbers, t.allNumbersHint)}
${way('/docs/guides/api#the-test-clock', t.clock, t.clockHint)}
</ul>`,
  );

export const frontPage = (t: FrontTexts, pages: NeighbourPages): Html => html`<main id="content" class="front">
<h1>${t.title}</h1>
<p class="lead">${t.lead}</p>
${health(t)}
<div class="rooms">
${room(
  t.build,
  html`<ul class="ways">
${way('/dashboard', t.dashboard, t.dashboardHint)}
${way('/docs', t.reference, t.referenceHint)}
${way('/docs/guides/api', t.guides, t.guidesHint)}
${way('/graphql', t.explorer, t.explorerHint)}
${way('/openapi.json', t.openapi, t.openapiHint)}
${way('/v1/tokenize-demo', t.token, t.tokenHint)}
</ul>`,
)}
${watchRoom(t, pages)}
${rehearseRoom(t)}
</div>
${pages.inbox && html`<p class="small">${t.keys} <code>.data/credentials.json</code>.</p>`}
</main>`;

/** Front page of production: discloses no details to strangers. */
export const productionPage = (t: FrontTexts): Html => html`<main id="content" class="front">
<h1>recaudo</h1>
<p class="lead">${t.title}</p>
<div class="rooms"><section class="room"><ul class="ways">${way('/docs', t.documentation, t.documentationHint)}</ul></section></div>
</main>`;
