import { TextInput } from '@mantine/core';
import { dayText, isDay } from '../../format/days.ts';
import { useDraft } from '../../lists/use-draft.ts';
import { bandwidthTexts } from './texts.ts';

interface Props {
	readonly label: string;
	/** UTC days like `2026-11-20`. */
	readonly day: string;
	readonly min: string;
	readonly max: string;
	readonly onChange: (day: string) => void;
}

/** A UTC day within bounds. Until such a day was typed, the previous one counts. */
export function UtcDayField({ label, day, min, max, onChange }: Props) {
	const [draft, setDraft] = useDraft(day);
	const isOffered = isDay(draft) && min <= draft && draft <= max;

	function type(text: string) {
		setDraft(text);
		if (isDay(text) && min <= text && text <= max) onChange(text);
	}

	return (
		<TextInput
			type="date"
			size="xs"
			label={label}
			value={draft}
			min={min}
			max={max}
			error={!isOffered && bandwidthTexts.notOffered(utcDayText(min), utcDayText(max))}
			onChange={({ currentTarget: { value } }) => type(value)}
		/>
	);
}

function utcDayText(day: string): string {
	return dayText(`${day}T00:00:00Z`);
}
