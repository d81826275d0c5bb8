import type { ListedWebhook } from '@bursar/contract/dashboard';
import type { EventType } from '@bursar/contract/events';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { SecretActDialog } from '../../secrets/secret-dialog.tsx';
import { webhooksTexts } from './texts.ts';
import { TypesField } from './types-field.tsx';
import { useRefreshWebhooks } from './use-webhooks.ts';

const MAX_URL_LENGTH = 500;

/** A button that makes a webhook, and shows its secret once. `reason`: why it cannot be done now. */
export function CreateWebhook({ reason }: { readonly reason: string | undefined }) {
	return (
		<SecretActDialog
			path="/webhooks/create"
			done={useRefreshWebhooks()}
			title={webhooksTexts.create}
			button={(open) => (
				<ExplainedButton reason={reason} onClick={open}>
					{webhooksTexts.create}
				</ExplainedButton>
			)}
			secretOf={({ secret }) => ({
				title: webhooksTexts.secretTitle,
				secret,
				label: webhooksTexts.secretLabel,
				intro: webhooksTexts.secretIntro,
			})}
		>
			{(act) => <CreateForm act={act} />}
		</SecretActDialog>
	);
}

function CreateForm({ act }: { readonly act: Act<'/webhooks/create'> }) {
	const [url, setUrl] = useState('');
	const [types, setTypes] = useState<readonly EventType[] | null>(null);
	const isComplete = url !== '' && types?.length !== 0;
	return (
		<ActForm
			act={act}
			body={isComplete ? { url, types } : undefined}
			action={webhooksTexts.createNow}
			repeated={webhooksTexts.createLost}
		>
			<Text size="sm">{webhooksTexts.createIntro}</Text>
			<UrlField url={url} onType={setUrl} disabled={act.isBusy} />
			<TypesField types={types} onChoose={setTypes} disabled={act.isBusy} />
		</ActForm>
	);
}

/** A button that changes the URL of a webhook, and which events it wants. */
export function ChangeWebhook({ webhook }: { readonly webhook: ListedWebhook }) {
	return (
		<ActDialog
			path="/webhooks/update"
			done={useRefreshWebhooks()}
			title={webhooksTexts.changeTitle}
			isWide
			button={(open) => (
				<Button variant="default" aria-label={webhooksTexts.changeTitle} onClick={open}>
					{webhooksTexts.change}
				</Button>
			)}
		>
			{(act) => <ChangeForm act={act} webhook={webhook} />}
		</ActDialog>
	);
}

interface ChangeFormProps {
	readonly act: Act<'/webhooks/update'>;
	readonly webhook: ListedWebhook;
}

function ChangeForm({ act, webhook }: ChangeFormProps) {
	/** As it was when the dialog opened. */
	const [before] = useState(webhook);
	const [url, setUrl] = useState(before.url);
	const [types, setTypes] = useState(before.types);
	const changed = {
		...(url !== before.url && { url }),
		...(types?.join() !== before.types?.join() && { types }),
	};
	const isComplete = Object.keys(changed).length > 0 && url !== '' && types?.length !== 0;
	return (
		<ActForm act={act} body={isComplete ? { id: before.id, ...changed } : undefined} action={webhooksTexts.changeNow}>
			<Text size="sm">{webhooksTexts.changeIntro}</Text>
			<UrlField url={url} onType={setUrl} disabled={act.isBusy} />
			<TypesField types={types} onChoose={setTypes} disabled={act.isBusy} />
		</ActForm>
	);
}

interface UrlFieldProps {
	readonly url: string;
	readonly onType: (url: string) => void;
	readonly disabled: boolean;
}

function UrlField({ url, onType, disabled }: UrlFieldProps) {
	return (
		<PlainTextInput
			label={webhooksTexts.url}
			description={webhooksTexts.urlHint}
			placeholder="https://"
			inputMode="url"
			value={url}
			onType={(typed) => onType(typed.trim())}
			maxLength={MAX_URL_LENGTH}
			disabled={disabled}
			isName
			isFirst
		/>
	);
}
