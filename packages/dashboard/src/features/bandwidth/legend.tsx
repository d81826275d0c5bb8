import type { BandwidthDivision } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { Name } from '../../page/name.tsx';
import { resellerSubUsersPath } from '../../page/paths.ts';
import classes from './bandwidth.module.css';
import type { Whose } from './bandwidth-state.ts';
import { Swatch } from './chart/chart-tooltip.tsx';
import type { Series } from './chart/series.ts';
import { bandwidthTexts } from './texts.ts';

interface Props extends Pick<PartNameProps, 'whose' | 'onEdge'> {
	readonly series: readonly Series[];
	/** One for each series. */
	readonly sums: readonly number[];
	/** USD cents. */
	readonly cost: number;
	readonly division: BandwidthDivision | undefined;
	readonly hasBefore: boolean;
}

/** What the colours of a chart mean, and how much each has together. */
export function Legend({ series, sums, cost, division, hasBefore, whose, onEdge }: Props) {
	return (
		<dl className={classes.legend}>
			{series.map((one, place) => (
				<Entry key={one.key} value={bytesText(sums[place] ?? 0)}>
					<Swatch series={one} />
					{one.color === 'rest' || division === undefined ? (
						one.name
					) : (
						<PartName name={one.name} division={division} whose={whose} onEdge={onEdge} />
					)}
				</Entry>
			))}
			{cost > 0 && <Entry value={moneyText(cost)}>{bandwidthTexts.cost}</Entry>}
			{hasBefore && (
				<Entry>
					<span className={classes.dashes} /> {bandwidthTexts.before}
				</Entry>
			)}
		</dl>
	);
}

function Entry({ value, children }: { readonly value?: string; readonly children: ReactNode }) {
	return (
		<div>
			<dt>{children}</dt>
			<dd>{value}</dd>
		</div>
	);
}

interface PartNameProps {
	readonly name: string;
	readonly division: BandwidthDivision;
	readonly whose: Whose;
	readonly onEdge: (edge: string) => void;
}

/** Leads to the page of a sub-user or a reseller, or shows the edge alone. */
function PartName({ name, division, whose, onEdge }: PartNameProps) {
	if (division === 'edge') {
		return (
			<Anchor
				component="button"
				type="button"
				size="sm"
				aria-label={bandwidthTexts.showEdge(name)}
				onClick={() => onEdge(name)}
			>
				<Name>{name}</Name>
			</Anchor>
		);
	}
	const list =
		division === 'reseller'
			? '/resellers'
			: whose.kind === 'reseller'
				? resellerSubUsersPath(whose.reseller)
				: '/sub-users';
	return (
		<Anchor component={Link} size="sm" href={`${list}/${name}`}>
			<Name>{name}</Name>
		</Anchor>
	);
}
