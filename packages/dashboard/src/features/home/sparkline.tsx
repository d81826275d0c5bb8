import { shortDayText } from '../../format/days.ts';
import classes from './home.module.css';
import { barsOf, HEIGHT, pointsOf } from './sparkline.ts';
import { homeTexts } from './texts.ts';

interface Props {
	/** Says what it shows. */
	readonly label: string;
	/** The oldest first. */
	readonly values: readonly number[];
	/** The largest of a day, as a text: without it, the height of a bar says nothing. */
	readonly most?: string;
	/** The first day. The last one is today. Absent: the days stand elsewhere. */
	readonly from?: string;
	/** A line for what there is, bars for what comes in a day. */
	readonly as: 'line' | 'bars';
}

/** The trend of a number, without a scale. */
export function Sparkline({ label, values, most, from, as }: Props) {
	return (
		<div>
			<svg
				className={classes.sparkline}
				viewBox={`0 0 100 ${HEIGHT}`}
				preserveAspectRatio="none"
				role="img"
				aria-label={label}
			>
				<title>{label}</title>
				{as === 'line' ? (
					<>
						<polygon points={`0,${HEIGHT} ${pointsOf(values)} 100,${HEIGHT}`} />
						<polyline points={pointsOf(values)} />
					</>
				) : (
					barsOf(values).map((bar) => <rect key={bar.x} {...bar} />)
				)}
			</svg>
			{from !== undefined && (
				<div className={classes.span} aria-hidden="true">
					<span>{shortDayText(from)}</span>
					{most !== undefined && <span>{homeTexts.most(most)}</span>}
					<span>{homeTexts.today}</span>
				</div>
			)}
		</div>
	);
}
