import type { BandwidthDivision } from '@bursar/contract/dashboard';
import { Button, Checkbox, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './bandwidth.module.css';
import { type BandwidthState, canShowHours, daysOffered } from './bandwidth-state.ts';
import { bandwidthTexts } from './texts.ts';
import { UtcDayField } from './utc-day-field.tsx';

interface Props {
	readonly divisions: readonly BandwidthDivision[];
	readonly state: BandwidthState;
	readonly onChange: (change: Partial<BandwidthState>) => void;
	/** The server's time. */
	readonly nowMs: number;
	/** What else stands in the line. */
	readonly children?: ReactNode;
}

/** How the chosen time is shown. */
export function BandwidthControls({ divisions, state, onChange, nowMs, children }: Props) {
	const { range, unit, by, edge, compare } = state;
	return (
		<div className={classes.controls}>
			{range === 'days' && <DayFields state={state} onChange={onChange} nowMs={nowMs} />}
			{canShowHours(state, nowMs) && (
				<SegmentedControl
					size="xs"
					aria-label={bandwidthTexts.unit}
					data={(['day', 'hour'] as const).map((value) => ({ value, label: bandwidthTexts.units[value] }))}
					value={unit ?? 'day'}
					onChange={(value) => onChange({ unit: value === 'hour' ? value : undefined })}
				/>
			)}
			{divisions.length > 0 && edge === '' && (
				<NativeSelect
					size="xs"
					aria-label={bandwidthTexts.division}
					data={(['none', ...divisions] as const).map((value) => ({ value, label: bandwidthTexts.divisions[value] }))}
					value={by ?? 'none'}
					onChange={({ currentTarget: { value } }) => onChange({ by: divisions.find((each) => each === value) })}
				/>
			)}
			{edge !== '' && (
				<>
					<Text size="sm">{bandwidthTexts.onlyEdge(edge)}</Text>
					<Button variant="default" size="xs" onClick={() => onChange({ edge: '' })}>
						{bandwidthTexts.allEdges}
					</Button>
				</>
			)}
			<Checkbox
				size="xs"
				py={6}
				label={bandwidthTexts.compare}
				checked={compare === 'on'}
				onChange={({ currentTarget: { checked } }) => onChange({ compare: checked ? 'on' : 'off' })}
			/>
			{children}
		</div>
	);
}

function DayFields({ state: { first = '', last = '' }, onChange, nowMs }: Pick<Props, 'state' | 'onChange' | 'nowMs'>) {
	const offered = daysOffered(nowMs);
	return (
		<>
			<UtcDayField
				label={bandwidthTexts.firstDay}
				day={first}
				min={offered.first}
				max={offered.last}
				// A last day before the new first day moves to it.
				onChange={(day) => onChange({ first: day, last: last < day ? day : last })}
			/>
			<UtcDayField
				label={bandwidthTexts.lastDay}
				day={last}
				min={first}
				max={offered.last}
				onChange={(day) => onChange({ last: day })}
			/>
		</>
	);
}
