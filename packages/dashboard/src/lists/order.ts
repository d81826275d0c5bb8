/** By which column a list is sorted. With a minus, from the largest, the newest or Z. */
export type Order<Name extends string> = Name | `-${Name}`;

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
