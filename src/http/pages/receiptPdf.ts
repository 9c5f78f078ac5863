/** A voucher as a one-page PDF with the same content as the web page. The barcodes are vector graphics. */
import type { PaymentInstructions } from '../../acquirer/port';
import { displayMoney } from '../../platform/money';
import { barsOf, groupDigits, QUIET_ZONE_MODULES } from './barcode';
import type { Payment } from './findPayment';
import { displayMoment } from './results';
import type { Texts } from './texts';

const MODULE_PT = 1.6;
const BARCODE_HEIGHT_PT = 60;
const MARGIN_PT = 48;

export async function receiptPdf(
  t: Texts,
  payment: Payment,
  { reference, paybin_reference }: Extract<PaymentInstructions, { reference: string }>,
): Promise<Buffer> {
  // Few payers ask for one, and the library is a tenth of what an API process would load at its start.
  const { default: PDFDocument } = await import('pdfkit');
  const sheet = new PDFDocument({ size: 'LETTER', margin: MARGIN_PT, lang: t.language, info: { Title: t.voucher } });
  const chunks: Buffer[] = [];
  sheet.on('data', chunk => chunks.push(chunk));
  const finished = new Promise<void>(done => sheet.on('end', done));
  sheet.font('Helvetica-Bold').fontSize(20).text(t.voucher).moveDown(0.5);
  line(sheet, t.payTo, payment.merchant_name);
  if (payment.description) sheet.font('Helvetica').fontSize(12).text(printable(payment.description));
  line(sheet, t.amount, `${displayMoney(payment.amount)} COP`);
  if (payment.expires_at) line(sheet, t.until, displayMoment(t, payment.expires_at));
  sheet.moveDown(0.5).font('Helvetica').text(t.voucherSteps).moveDown();
  for (const [name, digits] of [
    [t.reference, reference],
    [t.paybin, paybin_reference],
  ] as const) {
    drawBars(sheet, barsOf(digits));
    line(sheet, name, groupDigits(digits));
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
  let x = MARGIN_PT + QUIET_ZONE_MODULES * MODULE_PT;
  bars.forEach((modules, i) => {
    const width = modules * MODULE_PT;
    if (i % 2 === 0) sheet.rect(x, sheet.y, width, BARCODE_HEIGHT_PT);
    x += width;
  });
  sheet.fill('black');
  sheet.y += BARCODE_HEIGHT_PT + 6;
}

/** The standard fonts of PDF have only the letters of western European languages. */
const printable = (text: string): string => text.replace(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”…€]/gu, '?');
