/** The page of a portal on which the customer saves a card. */
import { portalAttempts } from '../../billing/portals/use';
import { errorKindOf } from '../../platform/errors';
import { type Html, html } from '../../platform/html';
import { cardForm, declineText, type Problems, type Typed } from '../cardForm';
import type { Page } from '../layout';
import { wordsOf } from '../payer/texts';
import { deviceScript } from '../payersDevice';
import { pageFrame } from '../results';
import type { Texts } from '../texts';
import type { PortalLink } from './find';
import { portalWords } from './texts';

export interface PortalCardState {
  path: string;
  now: Date;
  problems?: Problems;
  typed: Typed;
  /** Whether the customer comes from the form. */
  isTried: boolean;
  to: (step?: string) => string;
}

function wasTried(t: Texts, { portal }: PortalLink, { isTried, problems = {} }: PortalCardState): Html | false {
  const p = portalWords(t);
  if (Object.keys(problems).length > 0)
    return html`<p class="alert" role="alert">${t.fixFields}</p><p class="hint">${t.typeAgain}</p>`;
  const { error_code } = portal;
  if (!isTried || error_code === null) return false;
  const kind = errorKindOf(error_code);
  if (kind === 'card_exists') return html`<p class="alert" role="alert">${p.exists}</p>`;
  const why = kind === 'declined' ? p.verified : declineText(t, error_code);
  return html`<p class="alert" role="alert">${why} ${p.notSaved} ${t.tryAgain}</p>`;
}

export function portalCardPage(t: Texts, link: PortalLink, state: PortalCardState): Page {
  const { l } = wordsOf(t);
  const p = portalWords(t);
  const { portal, environment, merchant_name } = link;
  const { path, now, problems = {}, typed, to } = state;
  const form = cardForm(t, { ...portalAttempts(portal), now }, p.save, to('card'), problems, typed);
  return {
    title: p.add,
    status: Object.keys(problems).length > 0 ? 422 : 200,
    head: deviceScript(path),
    body: html`<div class="subscription">
<h1>${p.add}</h1>
${wasTried(t, link, state)}
${form ? html`<p>${p.addHint}</p>${environment === 'sandbox' && html`<p class="hint">${t.testCard}</p>`}${form}` : html`<p class="alert">${p.tooManyCards} ${merchant_name}.</p>`}
<p><a href="${to()}">${l.back}</a></p>
</div>`,
    ...pageFrame(link),
  };
}
