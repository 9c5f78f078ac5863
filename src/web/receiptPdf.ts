/** A voucher, open or paid, as a one-page PDF with vector barcodes. */
import type { VoucherReferences } from '../gateway/acquirer/port';
import type { Payment } from '../payments/charges/pending/rows';
import { displayMoney } from '../platform/money';
import { barsOf, groupDigits, QUIET_ZONE_MODULES } from './barcode';
import { displayMoment, paidFacts, paidTexts, voucherNetworks } from './results';
import type { Texts } from './texts';

const MODULE_PT = 1.6;
const BARCODE_HEIGHT_PT = 60;
const MARGIN_PT = 48;

/** The test mode banner of the pages. */
const TEST_MODE = { ink: '#15202b', paper: '#ffe08a', heightPt: 28 };

export const voucherPdf = (t: Texts, payment: Payment, voucher: VoucherReferences): Promise<Buffer> =>
  onePage(t, payment, t.voucher, sheet => {
    line(sheet, t.amount, `${displayMoney(payment.amount)} COP`);
    if (payment.expires_at) line(sheet, t.until, displayMoment(t, payment.expires_at));
    sheet.moveDown(0.5).font('Helvetica').text(t.voucherSteps).moveDown();
    for (const { name, stores, digits } of voucherNetworks(t, voucher)) {
      sheet.font('Helvetica-Bold').fontSize(14).text(printable(name));
      if (stores) line(sheet, t.paidAt, stores);
      sheet.moveDown(0.5);
      drawBars(sheet, barsOf(digits));
      line(sheet, t.reference, groupDigits(digits));
      sheet.moveDown();
    }
  });

/** The receipt of a paid voucher, without its barcodes. */
export function paidPdf(t: Texts, payment: Payment): Promise<Buffer> {
  const [title, hint] = paidTexts(t, payment);
  return onePage(t, payment, title, sheet => {
    line(sheet, t.amountPaid, `${displayMoney(payment.amount)} COP`);
    for (const [name, value] of paidFacts(t, payment)) line(sheet, name, value);
    sheet.moveDown(0.5).font('Helvetica').text(hint);
  });
}

/** Draws the test mode banner, the title, the merchant and the description, then `draw`, then the support contacts. */
async function onePage(
  t: Texts,
  { environment, merchant_name, description, appearance }: Payment,
  title: string,
  draw: (sheet: PDFKit.PDFDocument) => void,
): Promise<Buffer> {
  // Loaded on demand: PDFs are rare and the library is a tenth of the code of an API process.
  const { default: PDFDocument } = await import('pdfkit');
  const sheet = new PDFDocument({ size: 'LETTER', margin: MARGIN_PT, lang: t.language, info: { Title: title } });
  const chunks: Buffer[] = [];
  sheet.on('data', chunk => chunks.push(chunk));
  const finished = new Promise<void>(done => sheet.on('end', done));
  if (environment === 'sandbox') drawTestMode(sheet, t.sandbox);
  sheet.font('Helvetica-Bold').fontSize(20).text(title).moveDown(0.5);
  line(sheet, t.payTo, merchant_name);
  if (description) sheet.font('Helvetica').fontSize(12).text(printable(description));
  draw(sheet);
  const ways = [appearance.support_email, appearance.support_phone, appearance.website].filter(way => way !== null);
  if (ways.length > 0)
    sheet
      .moveDown()
      .font('Helvetica')
      .fontSize(10)
      .text(printable(`${t.questions} ${ways.join(' · ')}`));
  sheet.end();
  await finished;
  return Buffer.concat(chunks);
}

function drawTestMode(sheet: PDFKit.PDFDocument, text: string): void {
  const { ink, paper, heightPt } = TEST_MODE;
  const { width } = sheet.page;
  sheet.rect(0, 0, width, heightPt).fill(paper);
  sheet
    .font('Helvetica-Bold')
    .fontSize(12)
    .fillColor(ink)
    .text(text, 0, 8, { width, align: 'center', lineBreak: false })
    .fillColor('black');
  sheet.x = MARGIN_PT;
  sheet.y = MARGIN_PT;
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

/** The standard fonts of PDF support western European characters only. */
const printable = (text: string): string => text.replace(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”…€]/gu, '?');
