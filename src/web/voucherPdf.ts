/** A voucher as a one-page PDF with vector barcodes. */
import type { VoucherReferences } from '../gateway/acquirer/port';
import type { Payment } from '../payments/charges/pending/rows';
import { displayMoney } from '../platform/money';
import { barsOf, groupDigits, QUIET_ZONE_MODULES } from './barcode';
import { line, MARGIN_PT, pdfOf, printable, type Sheet } from './receipts/sheet';
import { displayMoment, voucherNetworks } from './results';
import type { Texts } from './texts';

const MODULE_PT = 1.6;
const BARCODE_HEIGHT_PT = 60;

export const voucherPdf = (t: Texts, payment: Payment, voucher: VoucherReferences): Promise<Buffer> =>
  pdfOf(t, payment, t.voucher, sheet => {
    line(sheet, t.payTo, payment.merchant_name);
    if (payment.description) sheet.font('Helvetica').fontSize(12).text(printable(payment.description));
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

function drawBars(sheet: Sheet, bars: number[]): void {
  let x = MARGIN_PT + QUIET_ZONE_MODULES * MODULE_PT;
  bars.forEach((modules, i) => {
    const width = modules * MODULE_PT;
    if (i % 2 === 0) sheet.rect(x, sheet.y, width, BARCODE_HEIGHT_PT);
    x += width;
  });
  sheet.fill('black');
  sheet.y += BARCODE_HEIGHT_PT + 6;
}
