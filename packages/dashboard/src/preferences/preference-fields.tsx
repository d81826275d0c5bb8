import {
	Group,
	type MantineColorScheme,
	NativeSelect,
	SegmentedControl,
	Text,
	useMantineColorScheme,
} from '@mantine/core';
import { useId } from 'react';
import { type Choice, keyOf } from './kept-choice.ts';
import { LANGUAGES, language } from './language.ts';
import { preferenceTexts } from './texts.ts';
import { isUtc } from './time-zone.ts';

const LANGUAGE_CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** Chooses the language of the pages. Its label is in each language, because the present one may be the wrong one. */
export function LanguageField() {
	return (
		<NativeSelect
			size="xs"
			label={preferenceTexts.language}
			data={LANGUAGE_CHOICES}
			value={language}
			onChange={({ currentTarget }) => choose('language', currentTarget.value)}
		/>
	);
}

/** Chooses whether times are those of the browser or of UTC. */
export function TimeZoneField() {
	const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
	return (
		<Choices
			label={preferenceTexts.timeZone}
			data={[
				{ value: 'local', label: preferenceTexts.localTime },
				{ value: 'utc', label: 'UTC' },
			]}
			value={isUtc ? 'utc' : 'local'}
			description={isUtc ? undefined : zone}
			onChange={(value) => choose('time-zone', value)}
		/>
	);
}

const SCHEMES: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

/** Chooses light or dark colours. The browser remembers it. */
export function ColorsField() {
	const { colorScheme, setColorScheme } = useMantineColorScheme();
	return (
		<Choices
			label={preferenceTexts.colors}
			data={SCHEMES.map((value) => ({ value, label: preferenceTexts[value] }))}
			value={colorScheme}
			onChange={(value) => setColorScheme(value as MantineColorScheme)}
		/>
	);
}

interface ChoicesProps {
	readonly label: string;
	readonly description?: string | undefined;
	readonly data: { readonly value: string; readonly label: string }[];
	readonly value: string;
	readonly onChange: (value: string) => void;
}

function Choices({ label, description, ...choices }: ChoicesProps) {
	const labelId = useId();
	return (
		<div>
			<Group id={labelId} justify="space-between" gap="sm" wrap="nowrap" mb={2} fz="xs" fw={500}>
				{label}
				{description !== undefined && (
					<Text span inherit fw={400} c="dimmed">
						{description}
					</Text>
				)}
			</Group>
			<SegmentedControl size="xs" fullWidth aria-labelledby={labelId} {...choices} />
		</div>
	);
}

/** Keeps what was chosen, and loads the pages again: their texts are made once. */
function choose(choice: Choice, value: string): void {
	try {
		window.localStorage.setItem(keyOf(choice), value);
	} catch {
		// The browser keeps nothing for these pages, so its own language and time zone stay.
		return;
	}
	window.location.reload();
}
