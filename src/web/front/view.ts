import { testNumbers } from '../../payments/cardDetails/testNumbers';
import { type Html, html } from '../../platform/html';
import { temporalViews } from './temporalViews';
import type { FrontTexts } from './texts';

/** URLs of other programs, as reached by a browser on this machine; missing ones are omitted. */
export interface NeighbourPages {
  temporalUi?: string | undefined;
  temporalNamespace?: string | undefined;
  inbox?: string | undefined;
  journal?: string | undefined;
}

const link = (url: string, name: string, hint: string): Html =>
  html`<li><a href="${url}">${name}<span>${hint}</span></a></li>`;

const section = (title: string, body: Html): Html => html`<section class="section"><h2>${title}</h2>${body}</section>`;

const health = (t: FrontTexts): Html => html`<div role="status"><ul class="parts" aria-label="${t.health}">
${Object.entries(t.parts).map(
  ([part, name]) =>
    html`<li class="chip" data-part="${part}" data-up="${t.up}" data-down="${t.down}">${name} <strong>…</strong></li>`,
)}
</ul></div>`;

function monitorSection(
  t: FrontTexts,
  { temporalUi, temporalNamespace = 'default', inbox, journal }: NeighbourPages,
): Html {
  const views = temporalUi ? temporalViews(temporalUi, temporalNamespace, new Date()) : [];
  return section(
    t.watch,
    html`<ul class="links">
${
  temporalUi &&
  html`<li><a href="${temporalUi}">${t.temporal}<span>${t.temporalHint}</span></a>
<ul class="views" aria-label="${t.views}">${views.map(([name, url]) => html`<li><a href="${url}">${t.view[name]}</a></li>`)}</ul></li>`
}
${inbox && link(inbox, t.inbox, t.inboxHint)}
${journal && link(journal, t.journal, t.journalHint)}
${link('/operator', t.operator, t.operatorHint)}
${link('/ready', t.health, t.healthHint)}
</ul>`,
  );
}

const usualNumbers = (t: FrontTexts): [number: string, outcome: string][] => [
  ['4242424242424242', t.outcomes.approved],
  ['4222222222222220', t.outcomes.declined],
  ['4444444444444448', t.outcomes.funds],
  ['4000000000000341', t.outcomes.later],
];

const testSection = (t: FrontTexts): Html =>
  section(
    t.rehearse,
    html`<p>${t.numbersHint}</p>
<table class="numbers" aria-label="${t.numbersCaption}">
${usualNumbers(t)
  .filter(([number]) => testNumbers.has(number))
  .map(([number, outcome]) => html`<tr><th scope="row">${number}</th><td>${outcome}</td></tr>`)}
</table>
<ul class="links">
${link('/docs/guides/api#test-card-numbers', t.allNumbers, t.allNumbersHint)}
${link('/docs/guides/api#the-test-clock', t.clock, t.clockHint)}
</ul>`,
  );

export const frontPage = (t: FrontTexts, pages: NeighbourPages): Html => html`<main id="content" class="front">
<h1>${t.title}</h1>
<p class="lead">${t.lead}</p>
${health(t)}
<div class="sections">
${section(
  t.build,
  html`<ul class="links">
${link('/dashboard', t.dashboard, t.dashboardHint)}
${link('/docs', t.reference, t.referenceHint)}
${link('/docs/guides/api', t.guides, t.guidesHint)}
${link('/graphql', t.explorer, t.explorerHint)}
${link('/openapi.json', t.openapi, t.openapiHint)}
${link('/v1/tokenize-demo', t.token, t.tokenHint)}
</ul>`,
)}
${monitorSection(t, pages)}
${testSection(t)}
</div>
${pages.inbox && html`<p class="small">${t.keys} <code>.data/credentials.json</code>.</p>`}
</main>`;

/** The front page of production reveals nothing about the installation. */
export const productionPage = (t: FrontTexts): Html => html`<main id="content" class="front">
<h1>recaudo</h1>
<p class="lead">${t.title}</p>
<div class="sections"><section class="section"><ul class="links">${link('/docs', t.documentation, t.documentationHint)}</ul></section></div>
</main>`;
