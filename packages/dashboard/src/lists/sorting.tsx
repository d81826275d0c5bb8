import { type Order, orderAfterPress, sortedBy } from './order.ts';
import classes from './table.module.css';
import type { Column } from './table.tsx';

export interface Sorting<Name extends string> {
	readonly order: Order<Name>;
	readonly onSort: (order: Order<Name>) => void;
}

/** The head of a column that sorts the list when it is pressed. */
export function sortable<Name extends string>(
	column: Name,
	text: string,
	{ order, onSort }: Sorting<Name>,
): Pick<Column<never>, 'name' | 'head' | 'sorted'> {
	const sorted = sortedBy(column, order);
	return {
		name: text,
		sorted,
		head: (
			<button
				type="button"
				className={classes.sort}
				data-sorted={sorted}
				onClick={() => onSort(orderAfterPress(column, order))}
			>
				{text}
				<span className={classes.arrow} aria-hidden="true">
					{sorted && (sorted === 'ascending' ? '↑' : '↓')}
				</span>
			</button>
		),
	};
}
