import { Text } from '@mantine/core';
import { numberText } from '../../format/number.ts';
import { exactText } from '../../format/time.ts';
import { termsTexts } from '../terms/texts.ts';
import { LIMITS, type LimitName, typedGb, typedMbit } from '../terms/typed-limits.ts';
import type { WantedLine } from './run.ts';

/** The limits and the note that a new sub-user is to have. */
export function Terms({ line: { limits = {}, note } }: { readonly line: WantedLine }) {
	const said = LIMITS.flatMap((name) => {
		const value = valueText(name, limits);
		return value === undefined ? [] : [`${termsTexts.limitNames[name]}: ${value}`];
	});
	return (
		<Text size="xs" component="div">
			{[...said, ...(note === undefined ? [] : [`${termsTexts.note}: ${note}`])].map((text) => (
				<div key={text}>{text}</div>
			))}
		</Text>
	);
}

function valueText(name: LimitName, limits: NonNullable<WantedLine['limits']>): string | undefined {
	const limit = limits[name];
	if (limit === undefined || limit === null) return undefined;
	if (name === 'expires_at') return exactText(String(limit));
	if (Array.isArray(limit)) return limit.join(' ');
	if (name === 'bytes_per_second') return termsTexts.speed(typedMbit(Number(limit)));
	return name === 'connections' ? numberText(Number(limit)) : `${typedGb(Number(limit))} GB`;
}
