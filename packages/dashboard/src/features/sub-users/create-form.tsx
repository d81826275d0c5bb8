import { CREATE_FEE_CENTS } from '@bursar/contract/limits';
import { normalizeUsername } from '@bursar/contract/username';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { CallError } from '../../calls/call.ts';
import { serverNowMs } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { moneyText } from '../../format/money.ts';
import { momentText } from '../../format/time.ts';
import { UsernameField } from '../../forms/username-field.tsx';
import { Facts } from '../../page/facts.tsx';
import { Failure } from '../../page/failure.tsx';
import { NOTHING_TYPED, typedNewTerms } from './new-terms.ts';
import { NewTermsFields } from './new-terms-fields.tsx';
import { subUserTexts } from './texts.ts';

/** `taken`: a try has found that. `own`, `deleted`: it is the name of an account of the reseller, or was. */
export type KnownNames = Readonly<Record<string, 'taken' | 'own' | 'deleted' | undefined>>;

interface Props {
	readonly act: Act<'/sub-users/create'>;
	readonly known: KnownNames;
}

/** The name is looked up after a pause of so many milliseconds in the typing. */
const PAUSE_MS = 300;

/** Asks for the name of a new sub-user, and what it is to have. All of it is one act. */
export function CreateForm({ act, known }: Props) {
	const [name, setName] = useState('');
	const [texts, setTexts] = useState(NOTHING_TYPED);
	const { data: overview } = useRead('/overview', {}, { staleMs: 0 });
	const terms = typedNewTerms(texts, serverNowMs());
	const username = normalizeUsername(name);
	const { own, knownAs } = useOwnName(username, known);
	const isPoor = overview !== undefined && CREATE_FEE_CENTS + (terms?.amount ?? 0) > overview.balance;
	return (
		<ActForm
			// `failureText` says that a name is taken, and only while that name is in the field.
			act={act.failure?.code === 'username_taken' ? { ...act, failure: undefined } : act}
			body={username === undefined || knownAs || !terms || isPoor ? undefined : { username, ...terms }}
			action={
				terms?.amount === undefined ? subUserTexts.createNow : subUserTexts.createAndGive(moneyText(terms.amount))
			}
			failureText={failureTextOf(act, knownAs)}
			repeated={act.sent && <Repeated username={act.sent.username} />}
		>
			<UsernameField
				label={subUserTexts.username}
				value={name}
				onType={setName}
				disabled={act.isBusy}
				{...(own === null && !knownAs && { known: subUserTexts.maybeFree })}
			/>
			<NewTermsFields texts={texts} onType={setTexts} disabled={act.isBusy} />
			<Text size="sm">{subUserTexts.fee}</Text>
			{overview && <Costs balance={overview.balance} amount={terms?.amount ?? 0} isPoor={isPoor} />}
		</ActForm>
	);
}

/** Whether the name is one that cannot be given: of an account of the reseller, or one that was tried. */
function useOwnName(username: string | undefined, known: KnownNames) {
	const [settled] = useDebouncedValue(username, PAUSE_MS);
	const isLooked = settled !== undefined && settled === username;
	const { data } = useRead('/sub-users/name', { username: settled ?? '' }, { enabled: isLooked });
	const own = isLooked ? data?.own : undefined;
	const tried = username === undefined ? undefined : known[username];
	return { own, knownAs: tried ?? (own === 'taken' ? 'own' : (own ?? undefined)) };
}

interface CostsProps {
	/** Of the reseller. All are USD cents. */
	readonly balance: number;
	readonly amount: number;
	readonly isPoor: boolean;
}

/** What it costs altogether, and the balance of the reseller afterwards. */
function Costs({ balance, amount, isPoor }: CostsProps) {
	const total = CREATE_FEE_CENTS + amount;
	return (
		<div role="status">
			<Facts
				as="row"
				facts={[
					{ name: subUserTexts.yourBalance, value: moneyText(balance) },
					{ name: subUserTexts.costs, value: moneyText(total) },
					...(isPoor ? [] : [{ name: subUserTexts.after, value: moneyText(balance - total) }]),
				]}
			/>
			{isPoor && (
				<Text size="sm" c="var(--mantine-color-error)">
					{subUserTexts.poor}
				</Text>
			)}
		</div>
	);
}

function failureTextOf({ failure }: Props['act'], knownAs: KnownNames[string]) {
	if (knownAs) return subUserTexts[knownAs];
	return failure?.code === 'insufficient_balance' ? subUserTexts.tooPoor : undefined;
}

/** Looks what became of a create whose answer was lost. */
function Repeated({ username }: { readonly username: string }) {
	const { data, error, isFetching } = useRead('/sub-user', { username }, { staleMs: 0 });
	if (isFetching) return subUserTexts.reading;
	if (error instanceof CallError && error.code === 'unknown_sub_user') return subUserTexts.repeatedTaken(username);
	if (!data || error) return <Failure error={error} />;
	return subUserTexts.repeatedCreate(username, momentText(data.created));
}
