import type { RefusalsForReason } from '@bursar/contract/dashboard';
import { useServerNow } from '../../calls/server-clock.ts';
import { numberText } from '../../format/number.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import { refusedAt } from './refused-at.ts';
import { refusalTexts as texts } from './texts.ts';

const MINUTE_MS = 60_000;

/** When and why the proxies last refused an account, and how often in the last 8 days. The last reason comes first. */
export function RefusalsSection({ refusals }: { readonly refusals: readonly RefusalsForReason[] }) {
	const nowMs = useServerNow(MINUTE_MS);
	const [last] = refusals;
	const lead = last ? texts.refused(refusedAt(last.at, nowMs), last.edge, texts.reasons[last.reason]) : texts.none;
	return (
		<Section title={texts.title} lead={lead}>
			{last && <Table label={texts.last8Days} columns={COLUMNS} rows={refusals} keyOf={({ reason }) => reason} />}
		</Section>
	);
}

const COLUMNS: readonly Column<RefusalsForReason>[] = [
	{ name: texts.reason, onCard: 'left', cell: ({ reason }) => texts.reasons[reason] },
	{ name: texts.times, isNumber: true, onCard: 'right', isNamedOnCard: true, cell: ({ count }) => numberText(count) },
	{ name: texts.last, cell: ({ at }) => <Moment at={at} /> },
	{ name: texts.edge, cell: ({ edge }) => <Name>{edge}</Name> },
	{ name: texts.network, cell: ({ network }) => network ?? texts.unknown },
];
