import { type Account, type AccountPasskey, MAX_PASSKEYS, type NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import { Dialog } from '../../acts/dialog.tsx';
import type { Act } from '../../acts/use-act.ts';
import { usePresence } from '../../calls/presence.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { Empty } from '../../lists/empty.tsx';
import { Item, ItemList } from '../../lists/item.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { AddPasskey } from '../factors/add-passkey.tsx';
import { factorTexts } from '../factors/texts.ts';
import { isLastFactor } from './factors-left.ts';
import { accountTexts } from './texts.ts';
import { useRefreshAccount } from './use-account.ts';

interface Props {
	readonly account: Account;
	readonly onAdded: (answer: NewRecoveryCodes) => void;
}

/** The passkeys, and a form that adds one. */
export function PasskeysSection({ account, onAdded }: Props) {
	const presence = usePresence().data;
	const [isOpen, { open, close }] = useDisclosure(false);
	const title = useRef<HTMLHeadingElement>(null);
	const isFull = account.passkeys.length >= MAX_PASSKEYS;
	const mayAdd = presence?.passkeys === true && !isFull;

	function finish(answer: NewRecoveryCodes) {
		close();
		onAdded(answer);
	}

	return (
		<Section
			title={accountTexts.passkeys}
			titleRef={title}
			lead={factorTexts.passkeyLead}
			actions={
				mayAdd && (
					<Button variant="default" onClick={open}>
						{factorTexts.addPasskey}
					</Button>
				)
			}
		>
			{account.passkeys.length === 0 ? (
				<Empty>{accountTexts.noPasskeys}</Empty>
			) : (
				<ItemList>
					{account.passkeys.map((passkey) => (
						<PasskeyItem
							key={passkey.id}
							passkey={passkey}
							isLastFactor={isLastFactor(account)}
							onRemoved={() => title.current?.focus()}
						/>
					))}
				</ItemList>
			)}
			{!mayAdd && (
				<Text size="sm" c="dimmed">
					{isFull ? accountTexts.tooManyPasskeys : accountTexts.passkeysNotHere}
				</Text>
			)}
			<Dialog opened={isOpen} onClose={close} title={factorTexts.addPasskey}>
				<AddPasskey onAdded={finish} />
			</Dialog>
		</Section>
	);
}

interface PasskeyItemProps {
	readonly passkey: AccountPasskey;
	readonly isLastFactor: boolean;
	readonly onRemoved: () => void;
}

/** A passkey, with buttons that rename and remove it. */
function PasskeyItem({ passkey: { id, name, created, last_used }, isLastFactor, onRemoved }: PasskeyItemProps) {
	const refresh = useRefreshAccount();
	return (
		<Item
			name={name}
			details={
				<>
					{accountTexts.added} <Moment at={created} />,{' '}
					{last_used === null ? (
						accountTexts.neverUsed
					) : (
						<>
							{accountTexts.lastUsed} <Ago at={last_used} />
						</>
					)}
				</>
			}
			actions={
				<ActDialog
					path="/account/passkeys/remove"
					done={async (account) => {
						await refresh(account);
						if (account) onRemoved();
					}}
					title={accountTexts.removePasskeyTitle}
					button={(open) => (
						<ExplainedButton
							before={<RenamePasskey id={id} name={name} />}
							size="xs"
							variant="outline"
							color="red"
							aria-label={accountTexts.removeOne(name)}
							reason={isLastFactor ? accountTexts.lastFactor : undefined}
							onClick={open}
						>
							{accountTexts.remove}
						</ExplainedButton>
					)}
				>
					{(act) => (
						<ActForm act={act} body={{ id }} action={accountTexts.remove} isDangerous>
							<Text size="sm">{accountTexts.removePasskey(name)}</Text>
						</ActForm>
					)}
				</ActDialog>
			}
		/>
	);
}

type RenameProps = Pick<AccountPasskey, 'id' | 'name'>;

function RenamePasskey(passkey: RenameProps) {
	return (
		<ActDialog
			path="/account/passkeys/rename"
			done={useRefreshAccount()}
			title={accountTexts.renameTitle}
			button={(open) => (
				<Button size="xs" variant="default" aria-label={accountTexts.renameOne(passkey.name)} onClick={open}>
					{accountTexts.rename}
				</Button>
			)}
		>
			{(act) => <RenameForm act={act} {...passkey} />}
		</ActDialog>
	);
}

function RenameForm({ act, id, name }: RenameProps & { readonly act: Act<'/account/passkeys/rename'> }) {
	const [typed, setTyped] = useState(name);
	const next = typed.trim();
	return (
		<ActForm act={act} body={next === '' ? undefined : { id, name: next }} action={accountTexts.save}>
			<PlainTextInput
				label={accountTexts.name}
				maxLength={64}
				required
				withAsterisk={false}
				value={typed}
				onType={setTyped}
				isFirst
			/>
		</ActForm>
	);
}
