import type { OfferedOption } from '@bursar/contract/dashboard';
import { Button, NativeSelect } from '@mantine/core';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { isWrongValue, newSession, type TypedOptions } from './choices.ts';
import classes from './connect.module.css';
import { connectTexts } from './texts.ts';

/** One more than a value can have, so that it is seen that it is too long. */
const MAX_LENGTH = 65;

interface Props {
	readonly offered: readonly OfferedOption[];
	readonly typed: TypedOptions;
	readonly onType: (typed: TypedOptions) => void;
}

/** Asks for each option that the operator offers. */
export function OptionFields({ offered, typed, onType }: Props) {
	return offered.map(({ name, values }) => {
		const value = typed.get(name) ?? '';
		const set = (text: string) => onType(new Map(typed).set(name, text));
		if (values === null) return <TextOption key={name} name={name} value={value} onType={set} />;
		return (
			<NativeSelect
				key={name}
				label={name}
				data={[{ value: '', label: connectTexts.any }, ...values]}
				value={value}
				onChange={({ currentTarget }) => set(currentTarget.value)}
			/>
		);
	});
}

interface TextOptionProps {
	readonly name: string;
	readonly value: string;
	readonly onType: (text: string) => void;
}

function TextOption({ name, value, onType }: TextOptionProps) {
	return (
		<PlainTextInput
			label={name}
			error={isWrongValue(value) && connectTexts.optionWrong}
			value={value}
			maxLength={MAX_LENGTH}
			isName
			onType={(text) => onType(text.trim())}
			inputContainer={(input) =>
				name === 'session' ? (
					<div className={classes.withButton}>
						{input}
						<Button variant="default" aria-label={connectTexts.newSession} onClick={() => onType(newSession())}>
							{connectTexts.session}
						</Button>
					</div>
				) : (
					input
				)
			}
		/>
	);
}
