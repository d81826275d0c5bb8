import { SegmentedControl } from '@mantine/core';
import { type BandwidthState, RANGES, utcDay } from './bandwidth-state.ts';
import { bandwidthTexts } from './texts.ts';

interface Props {
	readonly state: BandwidthState;
	readonly onChange: (change: Partial<BandwidthState>) => void;
	/** The server's time. */
	readonly nowMs: number;
}

/** How many days are shown at first if days are chosen one by one. */
const FIRST_DAYS = 14;

/** Chooses the time that is shown. */
export function RangeChoice({ state, onChange, nowMs }: Props) {
	function choose(range: BandwidthState['range']) {
		const isFree = range === 'days';
		onChange({
			range,
			first: isFree ? (state.first ?? utcDay(nowMs, FIRST_DAYS - 1)) : undefined,
			last: isFree ? (state.last ?? utcDay(nowMs)) : undefined,
		});
	}
	return (
		<SegmentedControl
			size="xs"
			aria-label={bandwidthTexts.range}
			data={RANGES.map((value) => ({ value, label: bandwidthTexts.ranges[value] }))}
			value={state.range}
			onChange={(value) => choose(value as BandwidthState['range'])}
		/>
	);
}
