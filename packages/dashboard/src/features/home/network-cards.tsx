import type { Bandwidth, BandwidthPart } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useRead } from '../../calls/use-read.ts';
import { bytesText, signedBytesText } from '../../format/bytes.ts';
import { dayText } from '../../format/days.ts';
import { growthText } from '../../format/number.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Name } from '../../page/name.tsx';
import { Section } from '../../page/section.tsx';
import classes from './home.module.css';
import { NumberCard } from './number-card.tsx';
import { Sparkline } from './sparkline.tsx';
import { homeTexts } from './texts.ts';

const READ_EVERY_MS = 5 * 60_000;
/** The height of three edges. */
const HEIGHT = 180;

/** The bandwidth of all resellers on the last 30 days, divided by edge. Both parts below share one answer. */
function useNetwork() {
	return useRead('/operator/bandwidth', { range: '30d', by: 'edge' }, { everyMs: READ_EVERY_MS, staleMs: 60_000 });
}

/** How much the network carried, by day. */
export function NetworkCard() {
	const query = useNetwork();
	return (
		<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
			{(network) => <Carried network={network} />}
		</Answered>
	);
}

function Carried({ network: { spans, comparison } }: { readonly network: Bandwidth }) {
	const values = spans.map(({ up, down }) => up + down);
	const total = values.reduce((sum, bytes) => sum + bytes, 0);
	const from = spans[0]?.at ?? '';
	const most = bytesText(Math.max(...values));
	return (
		<NumberCard
			title={homeTexts.network}
			link={{ href: '/bandwidth', text: homeTexts.toNetwork }}
			number={bytesText(total)}
			note={comparison && comparison.before > 0 ? beforeText(comparison) : homeTexts.networkNote}
		>
			<Sparkline
				label={homeTexts.networkTrend(dayText(from), most)}
				values={values}
				most={most}
				from={from}
				as="bars"
			/>
		</NumberCard>
	);
}

function beforeText({ now, before }: NonNullable<Bandwidth['comparison']>): string {
	const growth = growthText(now, before);
	return growth === undefined
		? homeTexts.networkBefore(bytesText(before))
		: homeTexts.networkChange(bytesText(before), growth);
}

/** Which edges carried it. */
export function EdgesSection() {
	const query = useNetwork();
	return (
		<Section
			title={homeTexts.byEdge}
			actions={
				<Anchor component={Link} href="/bandwidth?by=edge" size="sm">
					{homeTexts.toNetwork}
				</Anchor>
			}
		>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(network) =>
					network.parts.length === 0 ? (
						<Text size="sm">{homeTexts.noEdgeReported}</Text>
					) : (
						<Table
							label={homeTexts.byEdge}
							columns={columnsOf(network.spans[0]?.at ?? '')}
							rows={rowsOf(network)}
							keyOf={({ name }) => name}
						/>
					)
				}
			</Answered>
		</Section>
	);
}

/** The edges, what none of them carried, and all together. Edges do not have the corrections. */
function rowsOf({ parts, spans }: Bandwidth): readonly BandwidthPart[] {
	const all = { name: homeTexts.allEdges, ...sumOf(spans), values: spans.map(({ up, down }) => up + down) };
	const shown = sumOf(parts);
	const rest = {
		name: homeTexts.otherEdges,
		...{ up: all.up - shown.up, down: all.down - shown.down },
		values: all.values.map((value, index) =>
			Math.max(
				0,
				parts.reduce((left, { values }) => left - (values[index] ?? 0), value),
			),
		),
	};
	return [...parts, ...(rest.up === 0 && rest.down === 0 ? [] : [rest]), all];
}

function sumOf(all: readonly { readonly up: number; readonly down: number }[]) {
	return all.reduce((sum, { up, down }) => ({ up: sum.up + up, down: sum.down + down }), { up: 0, down: 0 });
}

/** `from`: the first of the days. */
function columnsOf(from: string): readonly Column<BandwidthPart>[] {
	return [
		{
			name: homeTexts.edge,
			cell: ({ name }) => (name === homeTexts.allEdges ? <strong>{name}</strong> : <Name>{name}</Name>),
		},
		{
			name: homeTexts.trend,
			cell: ({ name, values }) => (
				<div className={classes.trend}>
					<Sparkline
						label={homeTexts.edgeTrend(name, dayText(from), bytesText(Math.max(...values)))}
						values={values}
						as="bars"
					/>
				</div>
			),
		},
		{ name: homeTexts.carried, isNumber: true, cell: ({ up, down }) => signedBytesText(up + down) },
	];
}
