import type { BandwidthDay } from '@bursar/contract/dashboard';
import { bytesText } from '../../../format/bytes.ts';
import { dayText } from '../../../format/day.ts';
import { bandwidthTexts } from '../../../texts/bandwidth.ts';
import classes from './bandwidth.module.css';
import { Swatch } from './swatch.tsx';

interface Props {
	readonly day: BandwidthDay;
	/** The middle of its bar, in percent of the chart's width. */
	readonly middle: number;
}

/** The figures of the chosen day. They stand beside its bar, on the side where there is more room. */
export function DayTooltip({ day: { date, up, down }, middle }: Props) {
	return (
		<div
			className={classes.tooltip}
			aria-hidden="true"
			style={middle < 50 ? { left: `calc(${middle}% + 12px)` } : { right: `calc(${100 - middle}% + 12px)` }}
		>
			<strong>{dayText(date)}</strong>
			<dl>
				<dt>
					<Swatch of="down" /> {bandwidthTexts.down}
				</dt>
				<dd>{bytesText(down)}</dd>
				<dt>
					<Swatch of="up" /> {bandwidthTexts.up}
				</dt>
				<dd>{bytesText(up)}</dd>
				<dt>{bandwidthTexts.total}</dt>
				<dd>{bytesText(up + down)}</dd>
			</dl>
		</div>
	);
}
