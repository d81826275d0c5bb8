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

/** The figures of the chosen day. At the edges of the chart it stands beside the bar, so that it stays within. */
export function DayTooltip({ day: { date, up, down }, middle }: Props) {
	return (
		<div
			className={classes.tooltip}
			aria-hidden="true"
			style={{ left: `${middle}%`, transform: `translateX(-${middle}%)` }}
		>
			<strong>{dayText(date)}</strong>
			<dl>
				<dt>
					<Swatch of="up" /> {bandwidthTexts.up}
				</dt>
				<dd>{bytesText(up)}</dd>
				<dt>
					<Swatch of="down" /> {bandwidthTexts.down}
				</dt>
				<dd>{bytesText(down)}</dd>
				<dt>{bandwidthTexts.total}</dt>
				<dd>{bytesText(up + down)}</dd>
			</dl>
		</div>
	);
}
