import type { TopUp } from '@bursar/contract/payment-schemas';
import { moneyText } from '../../format/money.ts';
import type { Column } from '../../lists/table.tsx';
import { paymentTexts } from './texts.ts';

// Columns of lists of payments.

export function amountColumn<Row>(name: string, amountOf: (row: Row) => number): Column<Row> {
	return { name, isNumber: true, cell: (row) => moneyText(amountOf(row)) };
}

/** What was refunded or is disputed. Mostly nothing. */
export const WENT_BACK: Column<TopUp> = {
	name: paymentTexts.wentBack,
	isNumber: true,
	cell: ({ refunded, disputed }) =>
		refunded + disputed === 0 ? (
			'–'
		) : (
			<>
				{refunded > 0 && <div>{paymentTexts.refundedOf(moneyText(refunded))}</div>}
				{disputed > 0 && <div>{paymentTexts.disputedOf(moneyText(disputed))}</div>}
			</>
		),
};
