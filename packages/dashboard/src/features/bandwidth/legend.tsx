import type { BandwidthDivision } from '@bursar/contract/dashboard';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { bytesText } from '../../format/bytes.ts';
import { moneyText } from '../../format/money.ts';
import { type Fact, Facts } from '../../page/facts.tsx';
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
		<Facts
			as="row"
			facts={[
				...series.map((one, index) => ({
					name: one.key,
					label: (
						<>
							<Swatch series={one} />
							{one.color === 'rest' || division === undefined ? (
								one.name
							) : (
								<PartName name={one.name} division={division} whose={whose} onEdge={onEdge} />
							)}
						</>
					),
					value: bytesText(sums[index] ?? 0),
				})),
				...(cost > 0 ? [{ name: bandwidthTexts.cost, value: moneyText(cost) }] : []),
				...(hasBefore ? [BEFORE] : []),
			]}
		/>
	);
}

const BEFORE: Fact = {
	name: bandwidthTexts.before,
	label: (
		<>
			<span className={classes.dashes} /> {bandwidthTexts.before}
		</>
	),
};

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
