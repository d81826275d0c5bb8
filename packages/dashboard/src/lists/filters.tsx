import { searchedText } from '@bursar/contract/dashboard';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type DayRange, dayText, isBackwards, isDay } from '../format/days.ts';
import { SuggestedInput } from '../forms/suggested-input.tsx';
import classes from './lists.module.css';
import { listTexts } from './texts.ts';
import { useDraft } from './use-draft.ts';

interface Props {
	/** Removes all filters. Absent if there are none. */
	readonly onClear?: (() => void) | undefined;
	/** A button that downloads what the filters show. */
	readonly download?: ReactNode;
	/** The fields. */
	readonly children: ReactNode;
}

/** The filters of a list, side by side if they fit. */
export function Filters({ onClear, download, children }: Props) {
	return (
		<Stack gap="sm" role="search">
			<div className={classes.filters}>{children}</div>
			{(onClear || download) && (
				<Group gap="sm">
					{download}
					{onClear && (
						<Button variant="subtle" size="sm" ml={download ? 0 : -18} onClick={onClear}>
							{listTexts.clearFilters}
						</Button>
					)}
				</Group>
			)}
		</Stack>
	);
}

interface FilterFieldProps {
	readonly label: string;
	/** The filter that counts. Empty: none. */
	readonly value: string;
	/** The filter that a text stands for; `undefined` if it is none. */
	readonly parse: (text: string) => string | undefined;
	/** Said of a text that is no filter. Then the previous filter still counts. */
	readonly error: string;
	readonly onChange: (value: string) => void;
	readonly maxLength: number;
	/** What fits the text that is being typed. */
	readonly suggestions?: readonly string[];
	readonly onType?: (text: string) => void;
}

/**
 * A text that filters a list once it is complete: with the Enter key, when a suggestion is chosen, or when the field is left.
 * It stands in the address then, so a secret that was pasted by mistake is no filter.
 */
export function FilterField({
	label,
	value,
	parse,
	error,
	onChange,
	maxLength,
	suggestions = [],
	onType,
}: FilterFieldProps) {
	const [draft, setDraft] = useDraft(value);
	const [isWrong, setWrong] = useState(false);

	function apply(typed = draft) {
		const text = typed.trim();
		const next = text === '' ? '' : searchedText(text).hidden ? undefined : parse(text);
		setWrong(next === undefined);
		if (next === undefined) return;
		setDraft(next);
		if (next !== value) onChange(next);
	}

	return (
		<SuggestedInput
			label={label}
			value={draft}
			error={isWrong && error}
			maxLength={maxLength}
			suggestions={suggestions}
			onType={(typed) => {
				setWrong(false);
				setDraft(typed);
				onType?.(typed);
			}}
			onChoose={apply}
			onDone={() => apply()}
		/>
	);
}

/** A year that is being typed is a year of the first millennium at first. */
const FIRST_DAY = '1970-01-01';

interface DayRangeFieldsProps {
	readonly range: DayRange;
	readonly onChange: (change: DayRange) => void;
}

/** Two days, in the time zone of the browser. Either may be empty. */
export function DayRangeFields({ range, onChange }: DayRangeFieldsProps) {
	return (
		<>
			<DayField label={listTexts.from} day={range.from} onChange={(from) => onChange({ from })} />
			<DayField
				label={listTexts.to}
				day={range.to}
				error={isBackwards(range) ? listTexts.isBackwards : undefined}
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
			// The browser writes a day in its own way. This is how the rest of the page writes it.
			description={day && dayText(`${day}T00:00:00Z`)}
			inputWrapperOrder={['label', 'input', 'description', 'error']}
			min={FIRST_DAY}
			onChange={(event) => type(event.currentTarget.value)}
		/>
	);
}
