/** A receipt as PDF, with the contents of its page. */
import type { ReceiptDetails } from '../../payments/receipts/receipt';
import { displayMoney } from '../../platform/money';
import type { Texts } from '../texts';
import { receiptContents } from './contents';
import { INK, MARGIN_PT, pdfOf, printable, type Sheet } from './sheet';
import { receiptTextsOf } from './texts';

const VALUE_SHARE = 0.6;

/** `check` is the address that verifies the code. */
export function receiptPdf(t: Texts, receipt: ReceiptDetails, check: string): Promise<Buffer> {
  const l = receiptTextsOf(t);
  const { concept, composition, amounts, facts } = receiptContents(t, receipt);
  return pdfOf(t, receipt, l.title, sheet => {
    sheet.font('Helvetica').fontSize(12).fillColor(INK.muted).text(`${l.paidTo} `, { continued: true });
    sheet.font('Helvetica-Bold').fillColor(INK.text).text(printable(receipt.merchant_name));
    if (concept) sheet.font('Helvetica').text(printable(concept));
    sheet.moveDown().fontSize(10).fillColor(INK.muted).text(l.total).moveDown(0.3);
    sheet
      .font('Helvetica-Bold')
      .fontSize(28)
      .fillColor(INK.text)
      .text(`${displayMoney(receipt.amount)} COP`);
    sheet.fontSize(12).text(l.statuses[receipt.status]).moveDown();
    if (composition.length > 0) drawRows(sheet, [...composition, [l.total, displayMoney(receipt.amount)]]);
    if (amounts.length > 0) drawRows(sheet, amounts);
    drawRows(sheet, facts);
    sheet.fontSize(10).fillColor(INK.muted).font('Helvetica').text(l.code).moveDown(0.3);
    sheet.font('Helvetica-Bold').fontSize(16).fillColor(INK.text).text(receipt.code);
    sheet.font('Helvetica').fontSize(10).fillColor(INK.muted).text(`${l.verify} `, { continued: true });
    sheet.text(check, { link: check, underline: true });
  });
}

/** Names on the left, values on the right, with a line below each pair. */
function drawRows(sheet: Sheet, rows: readonly (readonly [name: string, value: string])[]): void {
  const width = sheet.page.width - 2 * MARGIN_PT;
  sheet.font('Helvetica').fontSize(11);
  for (const [name, value] of rows) {
    const [nameWidth, valueWidth] = [width * (1 - VALUE_SHARE), width * VALUE_SHARE];
    const [label, text] = [printable(name), printable(value)];
    const height = Math.max(
      sheet.heightOfString(label, { width: nameWidth }),
      sheet.heightOfString(text, { width: valueWidth }),
    );
    if (sheet.y + height > sheet.page.height - MARGIN_PT) sheet.addPage().font('Helvetica').fontSize(11);
    const { y } = sheet;
    sheet.fillColor(INK.muted).text(label, MARGIN_PT, y, { width: nameWidth });
    sheet.fillColor(INK.text).text(text, MARGIN_PT + nameWidth, y, { width: valueWidth, align: 'right' });
    const below = y + height + 4;
    sheet
      .moveTo(MARGIN_PT, below)
      .lineTo(MARGIN_PT + width, below)
      .lineWidth(0.5)
      .stroke(INK.line);
    sheet.x = MARGIN_PT;
    sheet.y = below + 6;
  }
  sheet.moveDown();
}
