import { useState } from 'react';
import { moneyText } from '../../format/money.ts';
import { numberText } from '../../format/number.ts';
import { Pager } from '../../lists/pager.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import { Name } from '../../page/name.tsx';
import { hasReferences, hasTerms, totalCents, type WantedLine } from './run.ts';
import { Terms } from './terms-cell.tsx';
import { manyTexts } from './texts.ts';

const ROWS = 50;

interface Props<Line extends WantedLine> {
	readonly lines: readonly Line[];
	/** A further column. */
	readonly last?: Column<Line>;
}

/** The lines of a run, page by page. */
export function LinesTable<Line extends WantedLine>({ lines, last }: Props<Line>) {
	const [wanted, setWanted] = useState(0);
	// A filter may have left fewer lines.
	const first = wanted < lines.length ? wanted : 0;
	const shown = lines.slice(first, first + ROWS);
	return (
		<>
			<Table<Line>
				label={manyTexts.lines}
				columns={[
					{ name: manyTexts.name, onCard: 'left', cell: ({ username }) => <Name>{username}</Name> },
					{ name: manyTexts.line, isNumber: true, cell: ({ line }) => numberText(line) },
					...(totalCents(lines) > 0
						? [
								{
									name: manyTexts.amount,
									isNumber: true,
									onCard: 'right',
									cell: ({ cents }: Line) => moneyText(cents),
								} as const,
							]
						: []),
					...(hasReferences(lines)
						? [{ name: manyTexts.reference, cell: ({ reference }: Line) => <Name>{reference ?? ''}</Name> } as const]
						: []),
					...(lines.some(hasTerms)
						? [{ name: manyTexts.terms, isPlain: true, cell: (line: Line) => <Terms line={line} /> } as const]
						: []),
					...(last ? [last] : []),
				]}
				rows={shown}
				keyOf={({ line }) => line}
			/>
			{lines.length > ROWS && (
				<Pager
					onPrevious={first === 0 ? undefined : () => setWanted(first - ROWS)}
					onNext={first + ROWS >= lines.length ? undefined : () => setWanted(first + ROWS)}
				>
					{`${numberText(first + 1)}–${numberText(first + shown.length)} / ${numberText(lines.length)}`}
				</Pager>
			)}
		</>
	);
}
