/*
 * Gives the visit of a browser an id, the device_session_id of its payments, and tells recaudo what the browser says of
 * itself. Include it from recaudo and either call
 *   const id = await recaudo.device({ merchant_id: 'm…', public_key: 'pk_…' });
 * or name both in the element, <script async src="…/v1/device.js" data-merchant-id="m…" data-public-key="pk_…">, which
 * also fills hidden inputs called device_session_id. There is an id in any case, even if telling fails.
 */
(() => {
  const SEND_TIMEOUT_MS = 3000;
  const script = document.currentScript;
  const { merchantId, publicKey, url } = script?.dataset ?? {};
  const origin = script?.src ? new URL(script.src).origin : location.origin;
  const devices = new Map();

  const newId = () => {
    let id = 'v';
    while (id.length < 20)
      for (const byte of crypto.getRandomValues(new Uint8Array(32)))
        if (byte < 252 && id.length < 20) id += (byte % 36).toString(36);
    return id;
  };

  /* What is stored survives other pages of the visit. Some browsers have no storage. */
  const stored = (name, value) => {
    try {
      if (value !== undefined) sessionStorage.setItem(name, value);
      return sessionStorage.getItem(name);
    } catch {
      return null;
    }
  };

  const seen = () => ({
    user_agent: navigator.userAgent.slice(0, 512),
    languages: (navigator.languages ?? [navigator.language]).join(',').slice(0, 200),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone?.slice(0, 64),
    platform: (navigator.userAgentData?.platform ?? navigator.platform ?? '').slice(0, 100),
    screen_width: Math.round(screen.width),
    screen_height: Math.round(screen.height),
    color_depth: screen.colorDepth,
    touch_points: navigator.maxTouchPoints,
  });

  const send = async (address, key, id) => {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), SEND_TIMEOUT_MS);
    const headers = { 'Content-Type': 'application/json', ...(key && { Authorization: `Basic ${btoa(`${key}:`)}` }) };
    try {
      const body = JSON.stringify({ id, ...seen() });
      return (await fetch(address, { method: 'POST', headers, body, signal: stop.signal })).ok;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  };

  /* One id for the pages of a site that name the same merchant, told once. */
  const begin = (merchant, address, key) => {
    const name = `recaudo device ${merchant}`;
    const id = stored(name) || newId();
    stored(name, id);
    const isTold = stored(`${name} told`) === address;
    const telling = isTold ? Promise.resolve(false) : send(address, key, id);
    return { id, told: telling.then(ok => ok && stored(`${name} told`, address)).then(() => id) };
  };

  const deviceOf = ({ merchant_id = merchantId, public_key = publicKey, url: base = origin } = {}) => {
    const address = url ?? `${base}/v1/${merchant_id}/devices`;
    const device = devices.get(address) ?? begin(merchant_id ?? '', address, url ? undefined : public_key);
    devices.set(address, device);
    return device;
  };

  window.recaudo = Object.assign(window.recaudo ?? {}, { device: options => deviceOf(options).told });

  const fillInputs = () => {
    const { id } = deviceOf();
    for (const input of document.querySelectorAll('input[type=hidden][name=device_session_id]')) input.value ||= id;
  };
  if (!url && !(merchantId && publicKey)) return;
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', fillInputs);
  else fillInputs();
})();
