import { Group, Text, Textarea, TextInput } from '@mantine/core';
import { serverNowMs } from '../../calls/server-clock.ts';
import { isUnfinished } from '../../format/number.ts';
import { exactText } from '../../format/time.ts';
import classes from './terms.module.css';
import { limitProblemText, termsTexts } from './texts.ts';
import { LIMITS, type LimitName, type LimitTexts, type TypedLimits, typedLimits } from './typed-limits.ts';

/** More than 32 of the longest networks. */
const MAX_ADDRESSES_LENGTH = 4_000;

interface Props {
	readonly texts: LimitTexts;
	readonly onType: (texts: LimitTexts) => void;
	readonly disabled: boolean;
	/** Which fields are shown. */
	readonly names?: readonly LimitName[];
}

/** The fields of limits, each checked while it is typed. */
export function LimitsFields({ texts, onType, disabled, names = LIMITS }: Props) {
	const typed = typedLimits(texts, serverNowMs());
	const errorOf = (name: LimitName) => {
		const limit = typed[name];
		return limit.state === 'wrong' && limit.problem !== 'past' && limitProblemText(limit);
	};
	const field = (name: Exclude<keyof LimitTexts, 'ends_now'>) => ({
		value: texts[name],
		onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
			onType({ ...texts, [name]: value, ...(name.startsWith('expires') && { ends_now: false }) }),
		disabled,
		autoComplete: 'off',
	});
	return (
		<>
			<Text size="sm" c="dimmed">
				{termsTexts.emptyIsNone} {termsTexts.gbHint}
			</Text>
			{(['day_bytes', 'month_bytes', 'total_bytes'] as const)
				.filter((name) => names.includes(name))
				.map((name) => (
					<TextInput
						key={name}
						{...field(name)}
						label={termsTexts.inGb[name]}
						// A point at the end waits for its digits.
						error={!isUnfinished(texts[name]) && errorOf(name)}
						inputMode="decimal"
						maxLength={24}
						rightSection="GB"
						data-autofocus={name === names[0] || undefined}
					/>
				))}
			{names.includes('connections') && (
				<TextInput
					{...field('connections')}
					label={termsTexts.connections}
					error={errorOf('connections')}
					inputMode="numeric"
					maxLength={9}
				/>
			)}
			{names.includes('bytes_per_second') && (
				<TextInput
					{...field('bytes_per_second')}
					label={termsTexts.inMbit}
					description={termsTexts.mbitHint}
					error={!isUnfinished(texts.bytes_per_second) && errorOf('bytes_per_second')}
					inputMode="decimal"
					maxLength={24}
					rightSection="Mbit/s"
					rightSectionWidth={64}
				/>
			)}
			{names.includes('allowed_ips') && (
				<Textarea
					{...field('allowed_ips')}
					label={termsTexts.addresses}
					description={termsTexts.addressesHint}
					error={errorOf('allowed_ips')}
					rows={4}
					maxLength={MAX_ADDRESSES_LENGTH}
					autoCapitalize="none"
					spellCheck={false}
				/>
			)}
			{names.includes('expires_at') && (
				<>
					<Group align="flex-start" grow>
						<TextInput
							{...field('expires_on')}
							type="date"
							label={termsTexts.expiresOn}
							error={errorOf('expires_at')}
						/>
						<TextInput {...field('expires_at')} type="time" step={1} label={termsTexts.expiresAt} />
					</Group>
					<End texts={texts} end={typed.expires_at} onType={onType} disabled={disabled} />
				</>
			)}
		</>
	);
}

interface EndProps extends Omit<Props, 'names'> {
	readonly end: TypedLimits['expires_at'];
}

/** Says exactly when the end is. An end in the past must be confirmed. */
function End({ texts, end, onType, disabled }: EndProps) {
	const at = end.state === 'right' ? end.limit : end.problem === 'past' ? end.end : null;
	const isAsked = end.state === 'wrong' && end.problem === 'past';
	const isOver = isAsked || (at !== null && texts.ends_now && Date.parse(at) <= serverNowMs());
	return (
		<>
			<Text size="sm" c="dimmed" mt={-8} role="status">
				{at === null ? termsTexts.expiresHint : termsTexts.endsAt(exactText(at))}
			</Text>
			{isOver && (
				<label className={classes.endsNow}>
					<input
						type="checkbox"
						checked={texts.ends_now}
						disabled={disabled}
						onChange={({ currentTarget: { checked } }) => onType({ ...texts, ends_now: checked })}
					/>
					<span>{termsTexts.endsNow}</span>
				</label>
			)}
		</>
	);
}
