import { Group, Text, Textarea, TextInput } from '@mantine/core';
import { isUnfinished } from '../../format/number.ts';
import { lifeTexts } from './texts.ts';
import { LIMITS, type LimitName, type LimitTexts, typedLimits } from './typed-limits.ts';

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
	const typed = typedLimits(texts);
	const errorOf = (name: LimitName) => {
		const limit = typed[name];
		return limit.state === 'wrong' && lifeTexts.problem(limit);
	};
	const field = (name: keyof LimitTexts) => ({
		value: texts[name],
		onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) =>
			onType({ ...texts, [name]: value }),
		disabled,
		autoComplete: 'off',
	});
	return (
		<>
			<Text size="sm" c="dimmed">
				{lifeTexts.emptyIsNone} {lifeTexts.gbHint}
			</Text>
			{(['day_bytes', 'month_bytes', 'total_bytes'] as const)
				.filter((name) => names.includes(name))
				.map((name) => (
					<TextInput
						key={name}
						{...field(name)}
						label={lifeTexts.inGb[name]}
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
					label={lifeTexts.connections}
					error={errorOf('connections')}
					inputMode="numeric"
					maxLength={9}
				/>
			)}
			{names.includes('allowed_ips') && (
				<Textarea
					{...field('allowed_ips')}
					label={lifeTexts.addresses}
					description={lifeTexts.addressesHint}
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
						<TextInput {...field('expires_on')} type="date" label={lifeTexts.expiresOn} error={errorOf('expires_at')} />
						<TextInput {...field('expires_at')} type="time" step={1} label={lifeTexts.expiresAt} />
					</Group>
					<Text size="sm" c="dimmed" mt={-8}>
						{lifeTexts.expiresHint}
					</Text>
				</>
			)}
		</>
	);
}
