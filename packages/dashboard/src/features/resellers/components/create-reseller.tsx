import type { NewReseller } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../api/use-act.ts';
import { parseMoney } from '../../../format/money.ts';
import { AmountField } from '../../../frame/amount-field.tsx';
import { DialogForm } from '../../../frame/dialog-form.tsx';
import { SecretActDialog } from '../../../frame/secret-act-dialog.tsx';
import { resellerTexts } from '../../../texts/resellers.ts';
import { useNoteReseller } from '../api/use-reseller.ts';

const NOTHING = { name: '', opening: '' };

/** A button that creates a reseller in a dialog, and shows its token once. */
export function CreateReseller() {
	const act = useAct('/operator/resellers/create');
	const note = useNoteReseller();
	const [typed, setTyped] = useState(NOTHING);
	/** The token exists here and nowhere else, and only until the dialog closes. */
	const [made, setMade] = useState<NewReseller>();
	const name = typed.name.trim();
	const reseller = normalizeUsername(name);
	const openingCents = typed.opening.trim() === '' ? 0 : parseMoney(typed.opening);

	function open() {
		setTyped(NOTHING);
		act.open();
	}
	function close() {
		setMade(undefined);
		act.close();
	}
	async function send() {
		if (reseller === undefined || openingCents === undefined) return;
		const answer = await act.send({ reseller, opening_balance: openingCents });
		if (answer) setMade(answer);
		void note(reseller, answer?.details);
	}

	return (
		<>
			<Button onClick={open}>{resellerTexts.create}</Button>
			<SecretActDialog
				act={act}
				title={resellerTexts.create}
				secret={made?.token}
				secretTitle={resellerTexts.createdTitle(reseller ?? name)}
				secretLabel={resellerTexts.newToken}
				secretIntro={resellerTexts.createdIntro(reseller ?? name)}
				lostSecret={resellerTexts.createdLost(reseller ?? name)}
				onTryAgain={() => void send()}
				onClose={close}
			>
				<DialogForm
					change={act}
					onSubmit={() => void send()}
					action={resellerTexts.createNow}
					isComplete={reseller !== undefined && openingCents !== undefined}
				>
					<Text size="sm">{resellerTexts.createIntro}</Text>
					<TextInput
						label={resellerTexts.username}
						description={resellerTexts.usernameHint}
						error={name.length >= 4 && reseller === undefined && resellerTexts.invalidUsername}
						maxLength={USERNAME_MAX_LENGTH}
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						required
						withAsterisk={false}
						data-autofocus
						value={typed.name}
						onChange={({ currentTarget }) => setTyped({ ...typed, name: currentTarget.value })}
					/>
					<AmountField
						label={resellerTexts.openingBalance}
						description={resellerTexts.openingHint}
						error={openingCents === undefined && resellerTexts.invalidAmount}
						value={typed.opening}
						onType={(opening) => setTyped({ ...typed, opening })}
					/>
				</DialogForm>
			</SecretActDialog>
		</>
	);
}
