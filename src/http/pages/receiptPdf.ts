/** A voucher as PDF: one sheet with what the page says, its barcodes drawn and not painted. */
import PDFDocument from 'pdfkit';
import type { Issued } from '../../acquirer/port';
import { displayMoney } from '../../platform/money';
import { barsOf, inFours, QUIET } from './barcode';
import type { Payment } from './findPayment';
import { spellMoment } from './results';
import type { Texts } from './texts';

const MODULE_PT = 1.6;
const BARS_PT = 60;
const MARGIN = 48;

export async function receiptPdf(
  t: Texts,
  payment: Payment,
  { reference, paybin_reference }: Extract<Issued, { reference: string }>,
): Promise<Buffer> {
  const sheet = new PDFDocument({ size: 'LETTER', margin: MARGIN, lang: t.language, info: { Title: t.voucher } });
  const chunks: Buffer[] = [];
  sheet.on('data', chunk => chunks.push(chunk));
  const finished = new Promise<void>(done => sheet.on('end', done));
  sheet.font('Helvetica-Bold').fontSize(20).text(t.voucher).moveDown(0.5);
  line(sheet, t.payTo, payment.merchant_name);
  if (payment.description) sheet.font('Helvetica').fontSize(12).text(printable(payment.description));
  line(sheet, t.amount, `${displayMoney(payment.amount)} COP`);
  if (payment.expires_at) line(sheet, t.until, spellMoment(t, payment.expires_at));
  sheet.moveDown(0.5).font('Helvetica').text(t.voucherSteps).moveDown();
  for (const [name, digits] of [
    [t.reference, reference],
    [t.paybin, paybin_reference],
  ] as const) {
    drawBars(sheet, barsOf(digits));
    line(sheet, name, inFours(digits));
    sheet.moveDown();
  }
  sheet.end();
  await finished;
  return Buffer.concat(chunks);
}

function line(sheet: PDFKit.PDFDocument, name: string, value: string): void {
  sheet
    .font('Helvetica')
    .fontSize(12)
    .text(`${name}: `, { continued: true })
    .font('Helvetica-Bold')
    .text(printable(value));
}

function drawBars(sheet: PDFKit.PDFDocument, bars: number[]): void {
  let x = MARGIN + QUIET * MODULE_PT;
  bars.forEach((modules, i) => {
    const width = modules * MODULE_PT;
    if (i % 2 === 0) sheet.rect(x, sheet.y, width, BARS_PT);
    x += width;
  });
  sheet.fill('black');
  sheet.y += BARS_PT + 6;
}

/** The fonts that every reader of PDF has know the letters of western Europe only. */
const printable = (text: string): string => text.replace(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”…€]/gu, '?');
