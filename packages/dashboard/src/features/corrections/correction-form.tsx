import type { DayCorrection, DayOfAccount } from '@bursar/contract/dashboard';
import { SegmentedControl, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import type { ActControl } from '../../acts/use-act.ts';
import { bytesText } from '../../format/bytes.ts';
import { AccountFields } from './account-fields.tsx';
import { changeOf, correctionOf, namedDay, type TypedCorrection, typedBytes } from './correction.ts';
import { DayPreview, useDayPreview } from './day-preview.tsx';
import { correctionTexts } from './texts.ts';

const MAX_TEXT = 200;
/** No number of bytes is longer, even with spaces in it. */
const MAX_BYTES_TEXT = 30;

const NOTHING: TypedCorrection = {
	...{ reseller: '', username: '', day: '', direction: 'take', up: '', down: '', reference: '', reason: '' },
};

interface Props {
	readonly account: Omit<DayOfAccount, 'day'> | undefined;
	readonly act: ActControl;
	readonly onSend: (correction: DayCorrection) => void;
}

/** Asks for a correction, and shows the day before and after it. */
export function CorrectionForm({ account, act, onSend }: Props) {
	const [typed, setTyped] = useState<TypedCorrection>({ ...NOTHING, ...account });
	/** What was sent last. If its answer was lost, the day of now may not allow it any more. */
	const [sent, setSent] = useState<DayCorrection>();
	const type = (change: Partial<TypedCorrection>) => setTyped((before) => ({ ...before, ...change }));
	const preview = useDayPreview(namedDay(typed), changeOf(typed));
	const correction = preview.isPossible ? correctionOf(typed) : undefined;

	function submit() {
		const sending = act.state === 'open' ? correction : sent;
		if (!sending) return;
		setSent(sending);
		onSend(sending);
	}

	return (
		<ActForm
			act={act}
			onSubmit={submit}
			action={correctionTexts.correct}
			isComplete={correction !== undefined}
			lost={correctionTexts.lost}
			repeated={correctionTexts.repeatedAct}
		>
			<Text size="sm">{correctionTexts.intro}</Text>
			<AccountFields typed={typed} isNamed={account !== undefined} onType={type} />
			<SegmentedControl
				aria-label={correctionTexts.direction}
				data={[
					{ value: 'take', label: correctionTexts.directions.take },
					{ value: 'add', label: correctionTexts.directions.add },
				]}
				value={typed.direction}
				onChange={(direction) => type({ direction: direction as TypedCorrection['direction'] })}
			/>
			<BytesField label={correctionTexts.down} value={typed.down} onType={(down) => type({ down })} />
			<BytesField label={correctionTexts.up} value={typed.up} onType={(up) => type({ up })} />
			<TextInput
				label={correctionTexts.reference}
				description={correctionTexts.referenceHint}
				maxLength={MAX_TEXT}
				autoComplete="off"
				value={typed.reference}
				onChange={({ currentTarget: { value } }) => type({ reference: value })}
			/>
			<TextInput
				label={correctionTexts.reason}
				description={correctionTexts.reasonHint}
				maxLength={MAX_TEXT}
				autoComplete="off"
				value={typed.reason}
				onChange={({ currentTarget: { value } }) => type({ reason: value })}
			/>
			<DayPreview preview={preview} />
		</ActForm>
	);
}

interface BytesFieldProps {
	readonly label: string;
	readonly value: string;
	readonly onType: (text: string) => void;
}

function BytesField({ label, value, onType }: BytesFieldProps) {
	const bytes = typedBytes(value);
	return (
		<TextInput
			label={label}
			description={
				bytes === undefined || bytes === 0 ? correctionTexts.bytesHint : correctionTexts.bytes(bytesText(bytes))
			}
			error={bytes === undefined && correctionTexts.noBytes}
			inputMode="numeric"
			maxLength={MAX_BYTES_TEXT}
			autoComplete="off"
			value={value}
			onChange={({ currentTarget }) => onType(currentTarget.value)}
		/>
	);
}
