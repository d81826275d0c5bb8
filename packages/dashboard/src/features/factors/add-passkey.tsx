import type { NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { newActId } from '../../acts/act.ts';
import { useChange } from '../../calls/use-change.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { Failure, FailureNote } from '../../page/failure.tsx';
import { factorTexts } from './texts.ts';
import { usePasskeyQuestion } from './use-passkey-question.ts';

/** Adds a passkey under a name. `onAdded` gets what the service answered. */
export function AddPasskey({ onAdded }: { readonly onAdded: (answer: NewRecoveryCodes) => void }) {
	const [name, setName] = useState('');
	const passkey = usePasskeyQuestion('/account/passkeys/question', 'make');
	const add = useChange('/account/passkeys');

	async function submit(event: FormEvent) {
		event.preventDefault();
		add.clear();
		const response = await passkey.ask();
		if (!response) return;
		const answer = await add.run({ act: newActId(), name: name.trim(), response });
		if (!answer) return;
		setName('');
		onAdded(answer);
	}

	return (
		<form onSubmit={submit}>
			<Stack>
				<PlainTextInput
					label={factorTexts.passkeyName}
					description={factorTexts.passkeyNameHint}
					required
					withAsterisk={false}
					maxLength={64}
					value={name}
					onType={setName}
				/>
				{passkey.none && <FailureNote text={passkey.none} />}
				<Failure error={passkey.failure ?? add.failure} />
				<Button type="submit" loading={passkey.isBusy || add.isBusy}>
					{factorTexts.addPasskey}
				</Button>
			</Stack>
		</form>
	);
}
