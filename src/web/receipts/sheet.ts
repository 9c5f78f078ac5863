/** A page on paper, for receipts and vouchers. */
import type { FastifyReply } from 'fastify';
import type { Payment } from '../../payments/charges/pending/rows';
import type { Texts } from '../texts';

export type Sheet = PDFKit.PDFDocument;
export const MARGIN_PT = 48;

/** The colours of the pages in light mode. */
export const INK = { text: '#15202b', muted: '#51606e', line: '#dfe5ea' };
const TEST_MODE = { ink: '#15202b', paper: '#ffe08a', heightPt: 28 };

type SheetSubject = Pick<Payment, 'environment' | 'appearance'>;

/** Draws the test mode banner and the title, then `draw`, then the support contacts. */
export async function pdfOf(
  t: Texts,
  { environment, appearance }: SheetSubject,
  title: string,
  draw: (sheet: Sheet) => void,
): Promise<Buffer> {
  // Loaded on demand: PDFs are rare and the library is a tenth of the code of an API process.
  const { default: PDFDocument } = await import('pdfkit');
  const sheet = new PDFDocument({ size: 'LETTER', margin: MARGIN_PT, lang: t.language, info: { Title: title } });
  const chunks: Buffer[] = [];
  sheet.on('data', chunk => chunks.push(chunk));
  const finished = new Promise<void>(done => sheet.on('end', done));
  if (environment === 'sandbox') {
    drawTestMode(sheet, t.sandbox);
    sheet.on('pageAdded', () => drawTestMode(sheet, t.sandbox));
  }
  sheet.fillColor(INK.text).font('Helvetica-Bold').fontSize(20).text(title).moveDown(0.5);
  draw(sheet);
  const ways = [appearance.support_email, appearance.support_phone, appearance.website].filter(way => way !== null);
  if (ways.length > 0)
    sheet
      .moveDown()
      .font('Helvetica')
      .fontSize(10)
      .fillColor(INK.muted)
      .text(printable(`${t.questions} ${ways.join(' · ')}`));
  sheet.end();
  await finished;
  return Buffer.concat(chunks);
}

function drawTestMode(sheet: Sheet, text: string): void {
  const { ink, paper, heightPt } = TEST_MODE;
  const { width } = sheet.page;
  sheet.rect(0, 0, width, heightPt).fill(paper);
  sheet
    .font('Helvetica-Bold')
    .fontSize(12)
    .fillColor(ink)
    .text(text, 0, 8, { width, align: 'center', lineBreak: false });
  sheet.x = MARGIN_PT;
  sheet.y = MARGIN_PT;
}

export function line(sheet: Sheet, name: string, value: string): void {
  sheet
    .font('Helvetica')
    .fontSize(12)
    .text(`${name}: `, { continued: true })
    .font('Helvetica-Bold')
    .text(printable(value));
}

/** The standard fonts of PDF support western European characters only. */
export const printable = (text: string): string =>
  text.replaceAll('−', '–').replace(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”…€]/gu, '?');

export const sendPdf = (reply: FastifyReply, pdf: Buffer, id: string) =>
  reply
    .headers({
      'cache-control': 'no-store',
      'content-disposition': `inline; filename="${id}.pdf"`,
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
    .type('application/pdf')
    .send(pdf);
