import classes from './table.module.css';
import type { Column } from './table.tsx';

/** By which column a list is sorted. With a minus, from the largest, the newest or Z. */
export type Order<Name extends string> = Name | `-${Name}`;

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

/** Names are sorted from A first, amounts and times from the largest first. A second press turns the order around. */
export function orderAfterPress<Name extends string>(column: Name, order: Order<Name>): Order<Name> {
	const first: Order<Name> = column === 'name' ? column : `-${column}`;
	const second: Order<Name> = column === 'name' ? `-${column}` : column;
	return order === first ? second : first;
}

/** How the rows are sorted by a column; `undefined` if they are not. */
export function sortedBy<Name extends string>(
	column: Name,
	order: Order<Name>,
): 'ascending' | 'descending' | undefined {
	if (order === column) return 'ascending';
	return order === `-${column}` ? 'descending' : undefined;
}
