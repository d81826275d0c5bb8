import type { SubUserDetails } from '@bursar/contract/dashboard';
import type { ReactNode } from 'react';
import { bytesText } from '../../format/bytes.ts';
import { numberText } from '../../format/number.ts';
import { exactText } from '../../format/time.ts';
import { Name } from '../../page/name.tsx';
import classes from './terms.module.css';
import { termsTexts } from './texts.ts';
import { typedGb, typedMbit } from './typed-limits.ts';

/** The limits of a sub-user, with what of each is used. */
export function LimitsList({ limits, used }: Pick<SubUserDetails, 'limits' | 'used'>) {
	const { limitNames: names } = termsTexts;
	return (
		<dl className={classes.limits}>
			<Bytes name={names.day_bytes} used={used.day_bytes} limit={limits.day_bytes} />
			<Bytes name={names.month_bytes} used={used.month_bytes} limit={limits.month_bytes} />
			<Bytes name={names.total_bytes} used={used.total_bytes} limit={limits.total_bytes} />
			<Limit name={names.connections} used={used.connections ?? 0} limit={limits.connections}>
				{limits.connections === null
					? termsTexts.noLimit
					: termsTexts.openOf(counted(used.connections ?? 0), counted(limits.connections))}
			</Limit>
			<Limit name={names.bytes_per_second}>
				{limits.bytes_per_second === null ? termsTexts.noLimit : termsTexts.speed(typedMbit(limits.bytes_per_second))}
			</Limit>
			<Limit name={names.allowed_ips}>
				{limits.allowed_ips === null
					? termsTexts.anyAddress
					: limits.allowed_ips.map((address) => (
							<div key={address}>
								<Name>{address}</Name>
							</div>
						))}
			</Limit>
			<Limit name={names.expires_at}>
				{limits.expires_at === null ? (
					termsTexts.neverExpires
				) : (
					<time dateTime={limits.expires_at}>{exactText(limits.expires_at)}</time>
				)}
			</Limit>
		</dl>
	);
}

function counted(count: number): string {
	return numberText(count);
}

interface LimitProps {
	readonly name: string;
	readonly used?: number;
	readonly limit?: number | null;
	readonly children: ReactNode;
}

function Bytes({ name, used, limit }: Required<Omit<LimitProps, 'children'>>) {
	return (
		<Limit name={name} used={used} limit={limit}>
			{limit === null
				? termsTexts.usedNoLimit(bytesText(used))
				: termsTexts.usedOf(bytesText(used), `${typedGb(limit)} GB`)}
		</Limit>
	);
}

/** One limit: what is used of it as a text, and as a bar for the eye. */
function Limit({ name, used = 0, limit = null, children }: LimitProps) {
	const isReached = limit !== null && used >= limit;
	return (
		<div>
			<dt>{name}</dt>
			<dd>
				{children}
				{isReached && (
					<>
						{' '}
						<strong>{termsTexts.reached}</strong>
					</>
				)}
				{limit !== null && (
					<div className={classes.bar} aria-hidden="true">
						<div
							className={classes.filled}
							data-reached={isReached || undefined}
							style={{ width: `${Math.min(100, (100 * used) / limit)}%` }}
						/>
					</div>
				)}
			</dd>
		</div>
	);
}
