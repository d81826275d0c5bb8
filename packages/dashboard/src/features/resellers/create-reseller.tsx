import { normalizeUsername } from '@bursar/contract/username';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { parseMoney } from '../../format/money.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { UsernameField } from '../../forms/username-field.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { AgainField } from './again-field.tsx';
import { isAmountMeant, typedOnce } from './payment.ts';
import { resellerTexts } from './texts.ts';
import { useRefreshReseller } from './use-reseller.ts';

const NOTHING = { name: '', opening: '', again: '' };

const OPENING_TYPED_ONCE = typedOnce(null);

/** A button that creates a reseller in a dialog, and shows its token once. */
export function CreateReseller() {
	const refresh = useRefreshReseller();
	return (
		<SecretActDialog
			path="/operator/resellers/create"
			done={(answer, { reseller }) => refresh(reseller, answer?.details)}
			title={resellerTexts.create}
			button={(open) => <Button onClick={open}>{resellerTexts.create}</Button>}
			secretOf={({ token, details: { reseller } }) => ({
				title: resellerTexts.createdTitle(reseller),
				secret: token,
				label: resellerTexts.newToken,
				intro: resellerTexts.createdIntro(reseller),
			})}
		>
			{(act) => <CreateForm act={act} />}
		</SecretActDialog>
	);
}

function CreateForm({ act }: { readonly act: Act<'/operator/resellers/create'> }) {
	const [typed, setTyped] = useState(NOTHING);
	const reseller = normalizeUsername(typed.name);
	const opening = typed.opening.trim() === '' ? 0 : parseMoney(typed.opening);
	const openingCents = typeof opening === 'number' ? opening : undefined;
	const isMeant = openingCents !== undefined && isAmountMeant(openingCents, typed.again, OPENING_TYPED_ONCE);
	return (
		<ActForm
			act={act}
			body={reseller !== undefined && isMeant ? { reseller, opening_balance: openingCents } : undefined}
			action={resellerTexts.createNow}
			repeated={resellerTexts.createdLost(act.sent?.reseller ?? '')}
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
	);
}
