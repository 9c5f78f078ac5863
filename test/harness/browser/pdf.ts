import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { fromRoot } from '../../../src/platform/root';
import { PATIENCE_MS } from './browser';

/** Requests to this host are answered below; none leaves the machine. */
const ORIGIN = 'https://pdf.example';

/** Renders the first page of a PDF in a browser and returns its text and a screenshot. */
export async function readPdf(browser: Browser, pdf: Uint8Array): Promise<{ text: string; picture: Buffer }> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 1700 } });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.route(`${ORIGIN}/**`, route => {
    const [, name] = /([\w.]+mjs)$/.exec(route.request().url()) ?? [];
    const script = name && readFileSync(fromRoot(`node_modules/pdfjs-dist/legacy/build/${name}`), 'utf8');
    return route.fulfill({
      contentType: script ? 'text/javascript' : 'text/html',
      body: script ?? '<!doctype html><canvas></canvas>',
    });
  });
  await page.goto(`${ORIGIN}/`);
  const text = await page.evaluate<string>(`(async () => {
    const pdfjs = await import('/pdf.min.mjs');
    pdfjs.GlobalWorkerOptions.workerSrc = '/pdf.worker.min.mjs';
    const data = Uint8Array.from(atob('${Buffer.from(pdf).toString('base64')}'), char => char.charCodeAt(0));
    const sheet = await (await pdfjs.getDocument({ data }).promise).getPage(1);
    const viewport = sheet.getViewport({ scale: 2 });
    const canvas = Object.assign(document.querySelector('canvas'), { width: viewport.width, height: viewport.height });
    await sheet.render({ canvas, viewport }).promise;
    return (await sheet.getTextContent()).items.map(({ str }) => str).join(' ');
  })()`);
  const picture = await page.locator('canvas').screenshot();
  await page.close();
  return { text: text.replace(/\s+/g, ' '), picture };
}
