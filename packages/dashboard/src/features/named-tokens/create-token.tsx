import { isTokenName } from '@bursar/contract/scopes';
import { Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act, ActBody } from '../../acts/use-act.ts';
import { serverNowMs } from '../../calls/server-clock.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { limitProblemText } from '../terms/texts.ts';
import { typedAddresses } from '../terms/typed-limits.ts';
import { type ChosenEnd, endOf } from './end.ts';
import { EndField } from './end-field.tsx';
import { namedTokenTexts } from './texts.ts';
import { useRefreshTokens } from './use-tokens.ts';

const LONGEST_NAME = 40;
/** More than 32 of the longest networks. */
const MAX_ADDRESSES_LENGTH = 4_000;

type CreatePath = '/tokens/create' | '/operator/tokens/create';

/** Asks what a token may do. */
export type ScopesField = (field: {
	readonly scopes: readonly string[];
	readonly onChoose: (scopes: readonly string[]) => void;
	readonly disabled: boolean;
}) => ReactNode;

interface Props {
	/** A token of a reseller can be bound to addresses. */
	readonly path: CreatePath;
	/** Why it cannot be done now. */
	readonly reason: string | undefined;
	readonly scopesField: ScopesField;
}

/** A button that makes a token with a name, and shows it once. */
export function CreateToken({ path, reason, scopesField }: Props) {
	const refresh = useRefreshTokens();
	const [made, setMade] = useState('');
	return (
		<SecretActDialog
			path={path}
			done={(_, { name }) => {
				setMade(name);
				return refresh();
			}}
			title={namedTokenTexts.create}
			button={(open) => (
				<ExplainedButton reason={reason} onClick={open}>
					{namedTokenTexts.create}
				</ExplainedButton>
			)}
			secretOf={({ token }) => ({
				title: namedTokenTexts.newTitle(made),
				secret: token,
				label: namedTokenTexts.newLabel,
				intro: namedTokenTexts.newIntro,
			})}
		>
			{(act) => <CreateForm act={act} hasAddresses={path === '/tokens/create'} scopesField={scopesField} />}
		</SecretActDialog>
	);
}

interface FormProps extends Pick<Props, 'scopesField'> {
	readonly act: Act<CreatePath>;
	readonly hasAddresses: boolean;
}

function CreateForm({ act, hasAddresses, scopesField }: FormProps) {
	const [name, setName] = useState('');
	const [scopes, setScopes] = useState<readonly string[]>([]);
	const [end, setEnd] = useState<ChosenEnd>({ life: '90', day: '' });
	const [addresses, setAddresses] = useState('');
	const isNameWrong = name !== '' && !isTokenName(name.trim());
	const disabled = act.isBusy;
	return (
		<ActForm
			act={act}
			body={bodyOf({ name, scopes, end, addresses }, hasAddresses)}
			action={namedTokenTexts.createNow}
			repeated={namedTokenTexts.createLost}
		>
			<Text size="sm">{namedTokenTexts.createIntro}</Text>
			<PlainTextInput
				label={namedTokenTexts.name}
				description={namedTokenTexts.nameHint}
				value={name}
				onType={setName}
				error={isNameWrong && namedTokenTexts.nameWrong}
				maxLength={LONGEST_NAME}
				disabled={disabled}
				isName
				isFirst
			/>
			{scopesField({ scopes, onChoose: setScopes, disabled })}
			<EndField end={end} onChoose={setEnd} disabled={disabled} />
			{hasAddresses && <AddressesField text={addresses} onType={setAddresses} disabled={disabled} />}
		</ActForm>
	);
}

interface Typed {
	readonly name: string;
	readonly scopes: readonly string[];
	readonly end: ChosenEnd;
	readonly addresses: string;
}

/** `undefined` while something is missing or wrong. */
function bodyOf(
	{ name, scopes, end, addresses }: Typed,
	hasAddresses: boolean,
): ActBody<'/tokens/create'> | ActBody<'/operator/tokens/create'> | undefined {
	const ends = endOf(end, serverNowMs());
	const allowedIps = typedAddresses(addresses);
	if (!isTokenName(name.trim()) || scopes.length === 0 || 'wrong' in ends || allowedIps.state === 'wrong')
		return undefined;
	const body = { name: name.trim(), scopes, expires_at: ends.at };
	return hasAddresses ? { ...body, allowed_ips: allowedIps.limit } : body;
}

interface AddressesProps {
	readonly text: string;
	readonly onType: (text: string) => void;
	readonly disabled: boolean;
}

function AddressesField({ text, onType, disabled }: AddressesProps) {
	const typed = typedAddresses(text);
	return (
		<Textarea
			label={namedTokenTexts.addresses}
			description={namedTokenTexts.addressesHint}
			value={text}
			onChange={({ currentTarget: { value } }) => onType(value)}
			error={typed.state === 'wrong' && typed.problem !== 'past' && limitProblemText(typed)}
			rows={3}
			maxLength={MAX_ADDRESSES_LENGTH}
			autoComplete="off"
			autoCapitalize="none"
			spellCheck={false}
			disabled={disabled}
		/>
	);
}
