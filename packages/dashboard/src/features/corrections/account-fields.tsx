import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Text } from '@mantine/core';
import { serverNowMs } from '../../calls/server-clock.ts';
import { dayText, isDay } from '../../format/days.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import type { TypedCorrection } from './correction.ts';
import { correctionTexts } from './texts.ts';

interface Props {
	readonly typed: TypedCorrection;
	/** Whether the account is known already. */
	readonly isNamed: boolean;
	readonly onType: (change: Partial<TypedCorrection>) => void;
}

const FIRST_DAY = '1970-01-01';

/** Asks for the account and the day that are corrected. */
export function AccountFields({ typed: { reseller, username, day }, isNamed, onType }: Props) {
	return (
		<>
			{isNamed ? (
				<Text fw={600}>{username}</Text>
			) : (
				<>
					<NameField
						label={correctionTexts.reseller}
						value={reseller}
						onType={(name) => onType({ reseller: name })}
						isFirst
					/>
					<NameField
						label={correctionTexts.username}
						description={correctionTexts.usernameHint}
						value={username}
						onType={(name) => onType({ username: name })}
					/>
				</>
			)}
			<PlainTextInput
				type="date"
				label={correctionTexts.day}
				// The browser writes a day in its own way. This is how the rest of the page writes it.
				description={isDay(day) && dayText(`${day}T00:00:00Z`)}
				inputWrapperOrder={['label', 'input', 'description', 'error']}
				min={FIRST_DAY}
				max={new Date(serverNowMs()).toISOString().slice(0, FIRST_DAY.length)}
				value={day}
				onType={(next) => onType({ day: next })}
				isFirst={isNamed}
			/>
		</>
	);
}

interface NameFieldProps {
	readonly label: string;
	readonly description?: string;
	readonly value: string;
	readonly onType: (name: string) => void;
	readonly isFirst?: boolean;
}

function NameField({ onType, ...props }: NameFieldProps) {
	return <PlainTextInput {...props} isName maxLength={USERNAME_MAX_LENGTH} onType={(name) => onType(name.trim())} />;
}
