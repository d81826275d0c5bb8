import type { NewReseller } from '@bursar/contract/dashboard';
import { normalizeUsername } from '@bursar/contract/username';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import { useAct } from '../../acts/use-act.ts';
import { parseMoney } from '../../format/money.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { UsernameField } from '../../forms/username-field.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { AgainField } from './again-field.tsx';
import { isAmountMeant, typedOnce } from './payment.ts';
import { resellerTexts } from './texts.ts';
import { useNoteReseller } from './use-reseller.ts';

const NOTHING = { name: '', opening: '', again: '' };

const OPENING_TYPED_ONCE = typedOnce(null);

/** A button that creates a reseller in a dialog, and shows its token once. */
export function CreateReseller() {
	const act = useAct('/operator/resellers/create');
	const note = useNoteReseller();
	const [typed, setTyped] = useState(NOTHING);
	/** The token exists here and nowhere else, and only until the dialog closes. */
	const [made, setMade] = useState<NewReseller>();
	const reseller = normalizeUsername(typed.name);
	const opening = typed.opening.trim() === '' ? 0 : parseMoney(typed.opening);
	const openingCents = typeof opening === 'number' ? opening : undefined;
	const isMeant = openingCents !== undefined && isAmountMeant(openingCents, typed.again, OPENING_TYPED_ONCE);

	function open() {
		setTyped(NOTHING);
		act.open();
	}
	function close() {
		setMade(undefined);
		act.close();
	}
	async function send() {
		if (reseller === undefined || openingCents === undefined || !isMeant) return;
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
				secretTitle={resellerTexts.createdTitle(reseller ?? '')}
				secretLabel={resellerTexts.newToken}
				secretIntro={resellerTexts.createdIntro(reseller ?? '')}
				onClose={close}
			>
				<ActForm
					act={act}
					onSubmit={() => void send()}
					action={resellerTexts.createNow}
					repeated={resellerTexts.createdLost(reseller ?? '')}
					isComplete={reseller !== undefined && isMeant}
				>
					<Text size="sm">{resellerTexts.createIntro}</Text>
					<UsernameField
						label={resellerTexts.username}
						value={typed.name}
						onType={(name) => setTyped({ ...typed, name })}
						disabled={act.isBusy}
					/>
					<AmountField
						label={resellerTexts.openingBalance}
						description={resellerTexts.openingHint}
						error={typeof opening !== 'number' && resellerTexts.amountProblems[opening ?? 'invalid_amount']}
						value={typed.opening}
						onType={(text) => setTyped({ ...typed, opening: text })}
					/>
					{openingCents !== undefined && (
						<AgainField
							cents={openingCents}
							once={OPENING_TYPED_ONCE}
							value={typed.again}
							onType={(again) => setTyped({ ...typed, again })}
						/>
					)}
				</ActForm>
			</SecretActDialog>
		</>
	);
}
