/**
 * `/v1/device.js`: gives the visit of a browser an id and reports the browser to recaudo. A page includes it and calls
 *   const id = await recaudo.device({ merchant_id: 'm…', public_key: 'pk_…' });
 * or names both in the element, <script async src="…/v1/device.js" data-merchant-id="m…" data-public-key="pk_…">, which
 * also fills hidden inputs named device_session_id. There is an id even if the report fails.
 */
import { openSession, type VisitStorage } from './deviceSession';

interface DeviceOptions {
  merchant_id?: string | undefined;
  public_key?: string | undefined;
  /** The origin of recaudo. */
  url?: string;
}

declare global {
  interface Window {
    recaudo?: { device(options?: DeviceOptions): Promise<string> };
  }
  interface Navigator {
    userAgentData?: { platform: string };
  }
}

const SEND_TIMEOUT_MS = 3000;
const script = document.currentScript as HTMLScriptElement | null;
const { merchantId, publicKey, url } = script?.dataset ?? {};
const origin = script?.src ? new URL(script.src).origin : location.origin;
const sessions = new Map<string, ReturnType<typeof openSession>>();

const stored: VisitStorage = (name, value) => {
  try {
    if (value !== undefined) sessionStorage.setItem(name, value);
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
};

const describeBrowser = () => ({
  user_agent: navigator.userAgent.slice(0, 512),
  languages: (navigator.languages ?? [navigator.language]).join(',').slice(0, 200),
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone?.slice(0, 64),
  platform: (navigator.userAgentData?.platform ?? navigator.platform ?? '').slice(0, 100),
  screen_width: Math.round(screen.width),
  screen_height: Math.round(screen.height),
  color_depth: screen.colorDepth,
  touch_points: navigator.maxTouchPoints,
});

async function report(address: string, key: string | undefined, id: string): Promise<boolean> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), SEND_TIMEOUT_MS);
  const headers = { 'Content-Type': 'application/json', ...(key && { Authorization: `Basic ${btoa(`${key}:`)}` }) };
  try {
    const body = JSON.stringify({ id, ...describeBrowser() });
    return (await fetch(address, { method: 'POST', headers, body, signal: stop.signal })).ok;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function sessionOf({ merchant_id = merchantId, public_key = publicKey, url: base = origin }: DeviceOptions = {}) {
  const address = url ?? `${base}/v1/${merchant_id}/devices`;
  const key = url ? undefined : public_key;
  const session =
    sessions.get(address) ?? openSession(stored, merchant_id ?? '', address, id => report(address, key, id));
  sessions.set(address, session);
  return session;
}

window.recaudo = Object.assign(window.recaudo ?? {}, {
  device: (options?: DeviceOptions) => sessionOf(options).reported,
});

function fillInputs(): void {
  const { id } = sessionOf();
  const inputs = document.querySelectorAll<HTMLInputElement>('input[type=hidden][name=device_session_id]');
  for (const input of inputs) input.value ||= id;
}
if (url || (merchantId && publicKey)) {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', fillInputs);
  else fillInputs();
}
