import { TextInput } from '@mantine/core';
import { type DayRange, isBackwards, isDay } from '../format/days.ts';
import { dayTexts } from './texts.ts';
import { useDraft } from './use-draft.ts';

/** A year that is being typed is a year of the first millennium at first. */
const FIRST_DAY = '1970-01-01';

interface Props {
	readonly range: DayRange;
	readonly onChange: (change: DayRange) => void;
}

/** Two days, in the time zone of the browser. Either may be empty. */
export function DayRangeFields({ range, onChange }: Props) {
	return (
		<>
			<DayField label={dayTexts.from} day={range.from} onChange={(from) => onChange({ from })} />
			<DayField
				label={dayTexts.to}
				day={range.to}
				error={isBackwards(range) ? dayTexts.isBackwards : undefined}
				onChange={(to) => onChange({ to })}
			/>
		</>
	);
}

interface FieldProps {
	readonly label: string;
	readonly day: string | undefined;
	readonly error?: string | undefined;
	readonly onChange: (day: string | undefined) => void;
}

function DayField({ label, day, error, onChange }: FieldProps) {
	const [draft, setDraft] = useDraft(day ?? '');

	function type(text: string) {
		setDraft(text);
		if (text === '') onChange(undefined);
		else if (isDay(text) && text >= FIRST_DAY) onChange(text);
	}

	return (
		<TextInput
			type="date"
			label={label}
			value={draft}
			error={error}
			min={FIRST_DAY}
			onChange={(event) => type(event.currentTarget.value)}
		/>
	);
}
