import { type CSSProperties, type Key, type ReactNode, useId } from 'react';
import classes from './table.module.css';
import { useCards } from './use-cards.ts';

export interface Column<Row> {
	/** Names the column, and the value on a card. */
	readonly name: string;
	/** Stands in the head of the column instead of the name, like a button that sorts. */
	readonly head?: ReactNode;
	/** Whether the rows are sorted by it. */
	readonly sorted?: 'ascending' | 'descending' | undefined;
	/** Whether it holds numbers, which are compared from the right. */
	readonly isNumber?: boolean;
	/** Whether a card leaves the name of the column out. */
	readonly isPlain?: boolean;
	/**
	 * Where it stands on a card. `left` and `right` share lines: the first of each stand in the first line, the second in
	 * the second. Without it, the column has a line of its own.
	 */
	readonly onCard?: 'left' | 'right';
	/** Whether the name of the column stands before the value there, because its position does not say what it is. */
	readonly isNamedOnCard?: boolean;
	readonly cell: (row: Row) => ReactNode;
}

interface Props<Row> {
	/** Says what the rows are. Only screen readers read it. */
	readonly label: string;
	/** The first one names the row, and is the title of its card. */
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	readonly keyOf: (row: Row) => Key;
	/** Whether other rows are being read. */
	readonly isStale?: boolean;
	/** At most so high; then it can be scrolled. */
	readonly maxHeight?: number;
}

/**
 * A table. If it does not fit, each row is a card. Its roles are written out, because some browsers take them from a
 * table whose rows are cards.
 */
export function Table<Row>({ label, columns, rows, keyOf, isStale = false, maxHeight }: Props<Row>) {
	const labelId = useId();
	const canScroll = maxHeight !== undefined;
	const frame = useCards();
	const style: CSSProperties | undefined = canScroll ? { maxHeight } : undefined;
	return (
		<div
			ref={frame}
			className={`${classes.frame} ${canScroll ? classes.canScroll : ''}`}
			style={style}
			{...(canScroll && { role: 'group', 'aria-labelledby': labelId, tabIndex: 0 })}
		>
			{/* biome-ignore-start lint/a11y/noRedundantRoles: see above. */}
			<table
				role="table"
				className={classes.table}
				data-stale={isStale || undefined}
				aria-busy={isStale}
				aria-labelledby={labelId}
			>
				<caption id={labelId} className={classes.caption}>
					{label}
				</caption>
				<thead role="rowgroup">
					<tr role="row">
						{columns.map(({ name, head, sorted, isNumber }) => (
							<th key={name} role="columnheader" scope="col" aria-sort={sorted} data-number={isNumber || undefined}>
								{head ?? name}
							</th>
						))}
					</tr>
				</thead>
				<tbody role="rowgroup">
					{rows.map((row) => (
						<tr key={keyOf(row)} role="row">
							{columns.map(({ name, isNumber, isPlain, onCard, isNamedOnCard, cell }, index) => (
								<td
									key={name}
									role={index === 0 ? 'rowheader' : 'cell'}
									data-number={isNumber || undefined}
									data-card={onCard}
									data-named={isNamedOnCard || undefined}
									data-name={index === 0 || isPlain ? undefined : name}
								>
									{/* On a card it stands beside the name of the column, as one piece. */}
									<div className={classes.value}>{cell(row)}</div>
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
			{/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
		</div>
	);
}
