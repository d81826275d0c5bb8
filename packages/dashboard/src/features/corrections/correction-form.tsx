import type { DayOfAccount } from '@bursar/contract/dashboard';
import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { bytesText } from '../../format/bytes.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
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
	readonly act: Act<'/operator/usage/correct'>;
}

/** Asks for a correction, and shows the day before and after it. */
export function CorrectionForm({ account, act }: Props) {
	const [typed, setTyped] = useState<TypedCorrection>({ ...NOTHING, ...account });
	const type = (change: Partial<TypedCorrection>) => setTyped((before) => ({ ...before, ...change }));
	const preview = useDayPreview(namedDay(typed), changeOf(typed));
	return (
		<ActForm
			act={act}
			body={preview.isPossible ? correctionOf(typed) : undefined}
			action={correctionTexts.correct}
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
			<PlainTextInput
				label={correctionTexts.reference}
				description={correctionTexts.referenceHint}
				maxLength={MAX_TEXT}
				value={typed.reference}
				onType={(reference) => type({ reference })}
			/>
			<PlainTextInput
				label={correctionTexts.reason}
				description={correctionTexts.reasonHint}
				maxLength={MAX_TEXT}
				value={typed.reason}
				onType={(reason) => type({ reason })}
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

function BytesField(props: BytesFieldProps) {
	const bytes = typedBytes(props.value);
	return (
		<PlainTextInput
			{...props}
			description={
				bytes === undefined || bytes === 0 ? correctionTexts.bytesHint : correctionTexts.bytes(bytesText(bytes))
			}
			error={bytes === undefined && correctionTexts.noBytes}
			inputMode="numeric"
			maxLength={MAX_BYTES_TEXT}
		/>
	);
}
